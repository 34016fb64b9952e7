#include "transport/verbs_transport.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <sstream>
#include <system_error>

#include "transport/memory.hpp"
#include "transport/verbs_lanes.hpp"
#include "verbs/async_events.hpp"
#include "verbs/status.hpp"

namespace railgauge::transport {
namespace {

class VerbsTransport final : public Sleepable {
 public:
  VerbsTransport(Exchange& exchange, std::span<const verbs::Port> rails,
                 std::span<const LaneRequest> lanes, const VerbsSettings& settings)
      : exchange_(exchange),
        requests_(lanes.begin(), lanes.end()),
        memory_of_caller_(settings.memory),
        copies_(std::max<std::size_t>(lanes.size(), 1) * kCopies * kCopiedBytes) {
    for (unsigned rail = 0; rail < rails.size(); ++rail) {
      const auto used = std::ranges::count(lanes, rail, &LaneRequest::rail);
      const auto& numbers = settings.rail_numbers;
      rails_.push_back(std::make_unique<VerbsRail>(
          rails[rail], numbers.empty() ? rail : numbers.at(rail), static_cast<int>(used)));
      rails_.back()->copies = verbs::register_memory(*rails_.back()->domain, copies_.bytes());
      sleepers_.push_back({rails_.back()->completions.fd(), POLLIN, 0});
    }
    lanes_ = connect_lanes(exchange, rails_, lanes, settings);
  }

  [[nodiscard]] Rank rank() const override { return exchange_.rank(); }
  [[nodiscard]] std::span<const LaneRequest> lanes() const override { return requests_; }
  [[nodiscard]] Lane peer_lane(Lane lane) const override { return lanes_[lane].back; }
  [[nodiscard]] std::uint32_t notes_in_flight() const override { return kNotesInFlight; }
  [[nodiscard]] std::uint32_t taken_at_once() const override { return kCopiedBytes; }

  Region allocate(std::size_t bytes) override {
    // Of no bytes there is no memory region.
    const auto memory = take_memory(std::max<std::size_t>(bytes, 1));
    RegionKeys own;
    for (auto& rail : rails_) {
      rail->regions.push_back(verbs::register_memory(*rail->domain, memory));
      own.push_back(verbs::remote_memory(*rail->regions.back()));
    }
    remote_.push_back(all_gather(exchange_, own));
    return {static_cast<std::uint32_t>(remote_.size() - 1), memory.data(), bytes};
  }

  [[nodiscard]] bool room(Lane lane) const noexcept override {
    const VerbsLane& made = lanes_[lane];
    return made.posted - made.completed < kSendDepth &&
           made.copied_as[made.copied % kCopies] <= made.completed;
  }

  void write(Lane number, const Write& write) noexcept override {
    VerbsLane& lane = lanes_[number];
    const unsigned rail = lane.request.rail;
    verbs::Write request;
    request.id = write_id(number, ++lane.posted);
    request.signaled = write.report || ++lane.unreported >= kUnreported;
    if (request.signaled) lane.unreported = 0;
    if (write.bytes > 0) {
      const auto& remote = remote_[write.remote_id][lane.request.peer][rail];
      request.from = {write.local.data + write.local_offset, write.bytes,
                      rails_[rail]->regions[write.local.id]->lkey};
      if (write.bytes <= kCopiedBytes && write.bytes > lane.pair->inline_bytes()) {
        leave_from_copy(lane, number, request);
      }
      request.to = {remote.address + write.remote_offset, remote.key};
    }
    if (gathered_for_ != number || gathered_.full()) flush();
    gathered_for_ = number;
    gathered_.add(request, write.note);
  }

  void flush() noexcept override {
    if (gathered_.empty()) return;
    break_lane(gathered_for_, lanes_[gathered_for_].pair->post(gathered_));
  }

  [[nodiscard]] std::size_t poll(std::span<Event> events) noexcept override {
    flush();
    std::size_t count = take_stash(events);
    for (std::size_t i = 0; i < rails_.size() && count < events.size(); ++i) {
      next_rail_ = (next_rail_ + 1) % rails_.size();
      count += poll_rail(*rails_[next_rail_], events.subspan(count));
    }
    if (count < events.size() && broken_ && !lanes_[*broken_].failed) {
      lanes_[*broken_].failed = true;
      events[count++] = {Event::Kind::failed, *broken_, 0};
    }
    return count;
  }

  void idle(std::chrono::microseconds limit) noexcept override {
    if (arm()) sleep_on(sleepers_, limit);
    disarm();
  }

  [[nodiscard]] std::vector<pollfd> sleepers() const override { return sleepers_; }

  bool arm() noexcept override {
    for (auto& rail : rails_) rail->completions.arm();
    // Arming concerns only what comes later: look once more before sleeping.
    stashed_ = poll(stash_);
    stash_read_ = 0;
    return stashed_ == 0;
  }

  void disarm() noexcept override {
    for (auto& rail : rails_) rail->completions.take_events();
  }

  [[nodiscard]] std::string describe(Lane number) const override {
    const VerbsLane& lane = lanes_[number];
    const VerbsRail& rail = *rails_[lane.request.rail];
    std::ostringstream words;
    words << "rank " << lane.request.peer << " (" << lane.peer.host.data() << ") on rail "
          << rail.number << ": " << rail.port.device << " " << rail.port.address() << " to "
          << lane.peer.device.data() << " " << verbs::to_text(lane.peer.address.gid)
          << ", queue pair " << lane.pair->number() << " " << lane.pair->state() << ", "
          << lane.posted << " writes posted, " << lane.completed << " completed, last completion "
          << last_completion(lane);
    for (const auto& event : verbs::take_async_events(*rail.context)) words << "; " << event.words;
    return words.str();
  }

  [[nodiscard]] std::string explain(const Event& failed) const override {
    const VerbsLane& lane = lanes_[failed.lane];
    if (!lane.failure.ok()) return verbs::describe(lane.failure);
    return "the device refused work, or its completion queue broke: " +
           std::generic_category().message(error_);
  }

 private:
  static std::string last_completion(const VerbsLane& lane) {
    if (lane.failed && !lane.failure.ok()) return std::string(verbs::name(lane.failure.status));
    return lane.completed > 0 ? "success" : "none";
  }

  void leave_from_copy(VerbsLane& lane, Lane number, verbs::Write& request) noexcept {
    const std::size_t copy = lane.copied++ % kCopies;
    std::byte* const place = copies_.bytes().data() + (number * kCopies + copy) * kCopiedBytes;
    std::memcpy(place, request.from.data, request.from.bytes);
    request.from = {place, request.from.bytes, rails_[lane.request.rail]->copies->lkey};
    lane.copied_as[copy] = lane.posted;
    if (lane.copied % (kCopies / 2) == 0) request.signaled = true;
  }

  std::span<std::byte> take_memory(std::size_t bytes) {
    return memory_of_caller_ ? memory_of_caller_(bytes) : memory_.emplace_back(bytes).bytes();
  }

  std::size_t take_stash(std::span<Event> events) noexcept {
    const std::size_t count = std::min(stashed_ - stash_read_, events.size());
    std::copy_n(stash_.begin() + static_cast<std::ptrdiff_t>(stash_read_), count, events.begin());
    stash_read_ += count;
    return count;
  }

  std::size_t poll_rail(VerbsRail& rail, std::span<Event> events) noexcept {
    std::array<verbs::Completion, 32> completions;
    const int found = rail.completions.poll(
        std::span(completions).first(std::min(completions.size(), events.size())));
    if (found < 0) break_lane(first_lane_on(rail), EIO);
    std::size_t count = 0;
    for (int i = 0; i < found; ++i) {
      if (translate(completions[static_cast<std::size_t>(i)], events[count])) ++count;
    }
    return count;
  }

  /// False when the completion is nothing new: what was flushed after a failure.
  bool translate(const verbs::Completion& completion, Event& event) noexcept {
    const Lane number = lane_of(completion.id);
    VerbsLane& lane = lanes_[number];
    if (!completion.ok()) return fail(lane, number, completion, event);
    if ((completion.id & kReceiveMark) != 0) {
      renew_receives(lane, number);
      event = {Event::Kind::arrived, number, completion.immediate};
      return true;
    }
    lane.completed +=
        static_cast<std::uint32_t>(completion.id) - static_cast<std::uint32_t>(lane.completed);
    event = {Event::Kind::completed, number, lane.completed};
    return true;
  }

  void renew_receives(VerbsLane& lane, Lane number) noexcept {
    if (++lane.receives_owed < kNotesInFlight) return;
    break_lane(number, lane.pair->post_receives(lane.receives_owed, receive_id(number)));
    lane.receives_owed = 0;
  }

  /// Nothing if `error` is 0. Only the first breakage is kept: the rest follow from it.
  void break_lane(Lane number, int error) noexcept {
    if (error == 0 || broken_) return;
    broken_ = number;
    error_ = error;
  }

  [[nodiscard]] Lane first_lane_on(const VerbsRail& rail) const noexcept {
    const auto on_rail = [&](const VerbsLane& lane) {
      return rails_[lane.request.rail].get() == &rail;
    };
    return static_cast<Lane>(std::ranges::find_if(lanes_, on_rail) - lanes_.begin());
  }

  static bool fail(VerbsLane& lane, Lane number, const verbs::Completion& completion,
                   Event& event) noexcept {
    if (lane.failed) return false;
    lane.failed = true;
    lane.failure = completion;
    event = {Event::Kind::failed, number, static_cast<std::uint64_t>(completion.status)};
    return true;
  }

  Exchange& exchange_;
  std::vector<LaneRequest> requests_;
  std::function<std::span<std::byte>(std::size_t)> memory_of_caller_;
  std::vector<Memory> memory_;  // without it; outlives its registrations
  Memory copies_;               // of small writes
  std::vector<std::unique_ptr<VerbsRail>> rails_;
  std::vector<std::vector<RegionKeys>> remote_;  // [region][rank][rail]
  std::vector<VerbsLane> lanes_;
  verbs::WriteChain gathered_;
  Lane gathered_for_ = 0;
  std::vector<pollfd> sleepers_;
  std::array<Event, 32> stash_{};
  std::size_t stashed_ = 0;
  std::size_t stash_read_ = 0;
  std::size_t next_rail_ = 0;
  std::optional<Lane> broken_;  // without a completion that says so
  int error_ = 0;               // why, an errno value
};

}  // namespace

std::unique_ptr<Sleepable> connect_verbs(Exchange& exchange, std::span<const verbs::Port> rails,
                                         std::span<const LaneRequest> lanes,
                                         const VerbsSettings& settings) {
  return std::make_unique<VerbsTransport>(exchange, rails, lanes, settings);
}

}  // namespace railgauge::transport
