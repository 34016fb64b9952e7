#include "transport/verbs_transport.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <sstream>
#include <system_error>

#include "transport/memory.hpp"
#include "transport/neighbours.hpp"
#include "transport/verbs_channels.hpp"
#include "verbs/device.hpp"
#include "verbs/error.hpp"

namespace railgauge::transport {
namespace {

/// A region of a peer: a key for every 2^shift bytes.
struct RemoteRegion {
  std::uint64_t address = 0;
  unsigned shift = 0;
  std::vector<std::uint32_t> keys;
};

/// The same as it travels.
template <std::size_t kMost>
struct Keys {
  std::uint64_t address = 0;
  std::uint32_t shift = 0;
  std::uint32_t count = 0;
  std::array<std::uint32_t, kMost> keys{};
};

class VerbsTransport final : public Pollable {
 public:
  VerbsTransport(Exchange& exchange, std::span<const verbs::Port> rails,
                 std::span<const ChannelRequest> channels, const VerbsSettings& settings)
      : exchange_(exchange),
        requests_(channels.begin(), channels.end()),
        memory_of_caller_(settings.memory),
        longest_write_(settings.longest_write),
        copies_(std::max<std::size_t>(channels.size(), 1) * kCopies * kCopiedBytes) {
    for (unsigned rail = 0; rail < rails.size(); ++rail) {
      const auto used = std::ranges::count(channels, rail, &ChannelRequest::rail);
      rails_.push_back(std::make_unique<VerbsRail>(rails[rail], end_of(rail, rails[rail], settings),
                                                   static_cast<int>(used)));
      rails_.back()->copies = verbs::register_memory(*rails_.back()->domain, copies_.bytes());
      sleepers_.push_back({rails_.back()->completions.fd(), POLLIN, 0});
    }
    channels_ = connect_channels(exchange, rails_, channels, settings);
  }

  [[nodiscard]] Rank rank() const override { return exchange_.rank(); }
  [[nodiscard]] std::span<const ChannelRequest> channels() const override { return requests_; }
  [[nodiscard]] Channel peer_channel(Channel channel) const override {
    return channels_[channel].back;
  }
  [[nodiscard]] std::uint32_t notifications_in_flight() const override {
    return kNotificationsInFlight;
  }
  [[nodiscard]] std::uint32_t copy_threshold() const override { return kCopiedBytes; }

  Region allocate(std::size_t bytes) override {
    // There are no memory regions of no bytes.
    return share(take_memory(std::max<std::size_t>(bytes, 1)).first(bytes));
  }

  Region share(std::span<std::byte> memory) override {
    const std::span registered(memory.data(), std::max<std::size_t>(memory.size(), 1));
    for (auto& rail : rails_) {
      rail->regions.emplace_back();
      rail->regions.back().regions.push_back(verbs::register_memory(*rail->domain, registered));
    }
    return region_of(exchange_keys<1>(registered), memory);
  }

  Region share_device(const DeviceMemory& memory) override {
    const verbs::DeviceSlice slice{memory.bytes, memory.dma_buf, memory.offset};
    for (auto& rail : rails_) {
      rail->regions.push_back(verbs::register_device(*rail->domain, slice, longest_write_));
    }
    Region region = region_of(exchange_keys<verbs::kMostPieces>(memory.bytes), memory.bytes);
    region.of_device = true;
    return region;
  }

  [[nodiscard]] bool can_post(Channel channel) const noexcept override {
    const VerbsChannel& made = channels_[channel];
    return made.posted - made.completed < kSendDepth &&
           made.copied_as[made.copied % kCopies] <= made.completed;
  }

  void write(Channel number, const Write& write) noexcept override {
    VerbsChannel& channel = channels_[number];
    const unsigned rail = channel.request.rail;
    verbs::Write request;
    request.id = write_id(number, ++channel.posted);
    channel.sizes.posted(channel.posted, write.bytes, channel.mtu_bytes);
    request.signaled = write.report || ++channel.unreported >= kUnreported;
    if (request.signaled) channel.unreported = 0;
    if (write.bytes > 0) {
      const RemoteRegion& remote = remote_[write.remote_id][number];
      const verbs::Pieces& local = rails_[rail]->regions[write.local.id];
      request.from = {write.local.data + write.local_offset, write.bytes,
                      local.local_key(write.local.offset + write.local_offset),
                      write.local.of_device};
      if (!write.local.of_device && write.bytes <= kCopiedBytes &&
          write.bytes > channel.pair->inline_bytes()) {
        send_from_copy(channel, number, request);
      }
      request.to = {remote.address + write.remote_offset,
                    remote.keys[write.remote_offset >> remote.shift]};
    }
    if (gathered_for_ != number || gathered_.full()) flush();
    gathered_for_ = number;
    gathered_.add(request, write.notification);
  }

  void flush() noexcept override {
    if (gathered_.empty()) return;
    break_channel(gathered_for_, channels_[gathered_for_].pair->post(gathered_));
  }

  [[nodiscard]] std::size_t poll(std::span<Event> events) noexcept override {
    flush();
    std::size_t count = take_stash(events);
    for (std::size_t i = 0; i < rails_.size() && count < events.size(); ++i) {
      next_rail_ = (next_rail_ + 1) % rails_.size();
      count += poll_rail(*rails_[next_rail_], events.subspan(count));
    }
    if (count < events.size() && broken_ && !channels_[*broken_].failed) {
      channels_[*broken_].failed = true;
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
    // Arming concerns only later completions: poll once more before sleeping.
    stashed_ = poll(stash_);
    stash_read_ = 0;
    return stashed_ == 0;
  }

  void disarm() noexcept override {
    for (auto& rail : rails_) rail->completions.take_events();
  }

  [[nodiscard]] bool in_flight() const noexcept override {
    return std::ranges::any_of(channels_, [](const VerbsChannel& channel) {
      return !channel.failed && channel.posted > channel.completed;
    });
  }

  [[nodiscard]] std::string describe(Channel number) const override {
    const VerbsChannel& channel = channels_[number];
    VerbsRail& rail = *rails_[channel.request.rail];
    std::ostringstream words;
    words << "rank " << channel.request.peer << " (" << channel.peer.host.data() << ") on "
          << rail.name() << ": " << rail.port.device << " " << rail.port.address() << " to "
          << channel.peer.device.data() << " " << verbs::to_text(channel.peer.address.gid)
          << ", queue pair " << channel.pair->number() << " " << channel.pair->state() << ", "
          << channel.posted << " writes posted, " << channel.completed
          << " completed, last completion " << last_completion(channel) << rail.take_events();
    return words.str();
  }

  [[nodiscard]] std::string explain(const Event& failed) const override {
    const VerbsChannel& channel = channels_[failed.channel];
    if (!channel.failure.ok()) return verbs::describe(channel.failure) + size_limit(channel);
    return "the device refused work, or its completion queue broke: " +
           std::generic_category().message(error_);
  }

  [[nodiscard]] finding::Location path(Channel number) const override {
    const VerbsChannel& channel = channels_[number];
    return channel.path_from(rails_[channel.request.rail]->end);
  }

  [[nodiscard]] std::vector<finding::Finding> faults() const override {
    std::vector<finding::Finding> all;
    for (const VerbsChannel& channel : channels_) {
      if (channel.failed && channel.failure.status != IBV_WC_WR_FLUSH_ERR)
        all.push_back(fault_of(channel));
    }
    for (const auto& rail : rails_) {
      (void)rail->take_events();
      if (!rail->went_down) continue;
      all.push_back(finding::found("transport", finding::Cause::link_down,
                                   {.scope = finding::Scope::port, .at = rail->end}));
      all.back().certainty = finding::Certainty::confirmed;
    }
    return all;
  }

 private:
  [[nodiscard]] finding::Endpoint end_of(unsigned rail, const verbs::Port& port,
                                         const VerbsSettings& settings) const {
    const auto& numbers = settings.rail_numbers;
    const auto number = numbers.empty() ? VerbsSettings::RailNumber{.rail = static_cast<int>(rail)}
                                        : numbers.at(rail);
    return {.host = settings.host,
            .device = port.device,
            .port = port.number,
            .rail = number.rail,
            .plane = number.plane,
            .address = port.address(),
            .ranks = {static_cast<int>(rank())}};
  }

  /// From this side to the peer: packets were lost, or their acknowledgements.
  [[nodiscard]] finding::Finding fault_of(const VerbsChannel& channel) const {
    using finding::Cause;
    const ibv_wc_status status = channel.failure.status;
    const auto limit = channel.size_limit();
    const Cause cause = limit                       ? Cause::packet_loss
                        : verbs::is_silence(status) ? Cause::unreachable
                                                    : Cause::other;
    auto fault =
        finding::found("transport", cause, channel.path_from(rails_[channel.request.rail]->end));
    if (cause == Cause::other) fault.detail = verbs::meaning(status);
    if (channel.failure.ok()) {
      fault.detail = "the device refused work, or its completion queue broke";
    } else {
      fault.evidence = {{.text = std::string(verbs::name(status))}};
    }
    if (limit) add_limit(fault, *limit);
    return fault;
  }

  static void add_limit(finding::Finding& loss, const PacketSizes::Limit& limit) {
    loss.detail = "loss of large packets";
    loss.evidence = {{.metric = "smallest packet that was lost",
                      .unit = "bytes",
                      .observed = limit.lost,
                      .text = "largest that passed " + std::to_string(limit.passes) + " bytes"}};
    loss.remedy = "compare MTUs along the path, or the link died at that packet";
  }

  /// Tells the peers where the last region is, and returns where theirs is, by channel. Who has its
  /// key may write into it: it is registered.
  template <std::size_t kMost>
  std::vector<RemoteRegion> exchange_keys(std::span<std::byte> memory) {
    std::vector<Keys<kMost>> own;
    for (const ChannelRequest& request : requests_) {
      const verbs::Pieces& pieces = rails_[request.rail]->regions.back();
      own.push_back({reinterpret_cast<std::uintptr_t>(memory.data()), pieces.shift,
                     static_cast<std::uint32_t>(pieces.regions.size())});
      for (std::size_t i = 0; i < pieces.regions.size(); ++i)
        own.back().keys[i] = pieces.regions[i]->rkey;
    }
    std::vector<RemoteRegion> theirs;
    for (const auto& offer : exchange_offers(exchange_, requests_, own)) {
      const Keys<kMost>& told = offer.what;
      const std::size_t count = std::min<std::size_t>(told.count, kMost);
      const auto end = told.keys.begin() + static_cast<std::ptrdiff_t>(count);
      theirs.push_back({told.address, told.shift, {told.keys.begin(), end}});
    }
    return theirs;
  }

  Region region_of(std::vector<RemoteRegion> theirs, std::span<std::byte> memory) {
    remote_.push_back(std::move(theirs));
    return {static_cast<std::uint32_t>(remote_.size() - 1), memory.data(), memory.size()};
  }

  static std::string size_limit(const VerbsChannel& channel) {
    const auto limit = channel.size_limit();
    if (!limit) return "";
    return "; packets of " + std::to_string(limit->passes) + " bytes pass, and of " +
           std::to_string(limit->lost) +
           " do not: look for an MTU on the path that is smaller than that of both ends";
  }

  static std::string last_completion(const VerbsChannel& channel) {
    if (channel.failed && !channel.failure.ok())
      return std::string(verbs::name(channel.failure.status));
    return channel.completed > 0 ? "success" : "none";
  }

  void send_from_copy(VerbsChannel& channel, Channel number, verbs::Write& request) noexcept {
    const std::size_t copy = channel.copied++ % kCopies;
    std::byte* const place = copies_.bytes().data() + (number * kCopies + copy) * kCopiedBytes;
    std::memcpy(place, request.from.data, request.from.bytes);
    request.from = {place, request.from.bytes, rails_[channel.request.rail]->copies->lkey};
    channel.copied_as[copy] = channel.posted;
    if (channel.copied % (kCopies / 2) == 0) request.signaled = true;
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
    if (found < 0) break_channel(first_channel_on(rail), EIO);
    std::size_t count = 0;
    for (int i = 0; i < found; ++i) {
      if (translate(completions[static_cast<std::size_t>(i)], events[count])) ++count;
    }
    return count;
  }

  /// False if the completion is no news: it was flushed after a failure.
  bool translate(const verbs::Completion& completion, Event& event) noexcept {
    const Channel number = channel_of(completion.id);
    VerbsChannel& channel = channels_[number];
    if (!completion.ok()) return fail(channel, number, completion, event);
    if ((completion.id & kReceiveMark) != 0) {
      renew_receives(channel, number);
      event = {Event::Kind::arrived, number, completion.immediate};
      return true;
    }
    channel.completed +=
        static_cast<std::uint32_t>(completion.id) - static_cast<std::uint32_t>(channel.completed);
    event = {Event::Kind::completed, number, channel.completed};
    return true;
  }

  void renew_receives(VerbsChannel& channel, Channel number) noexcept {
    if (++channel.receives_owed < kNotificationsInFlight) return;
    break_channel(number, channel.pair->post_receives(channel.receives_owed, receive_id(number)));
    channel.receives_owed = 0;
  }

  /// Does nothing if `error` is 0. Keeps only the first failure: the rest follow from it.
  void break_channel(Channel number, int error) noexcept {
    if (error == 0 || broken_) return;
    broken_ = number;
    error_ = error;
  }

  [[nodiscard]] Channel first_channel_on(const VerbsRail& rail) const noexcept {
    const auto on_rail = [&](const VerbsChannel& channel) {
      return rails_[channel.request.rail].get() == &rail;
    };
    return static_cast<Channel>(std::ranges::find_if(channels_, on_rail) - channels_.begin());
  }

  static bool fail(VerbsChannel& channel, Channel number, const verbs::Completion& completion,
                   Event& event) noexcept {
    if (channel.failed) return false;
    channel.failed = true;
    channel.failure = completion;
    event = {Event::Kind::failed, number, static_cast<std::uint64_t>(completion.status)};
    return true;
  }

  Exchange& exchange_;
  std::vector<ChannelRequest> requests_;
  std::function<std::span<std::byte>(std::size_t)> memory_of_caller_;
  std::size_t longest_write_;
  std::vector<Memory> memory_;  // used without it; outlives its registrations
  Memory copies_;               // of small writes
  std::vector<std::unique_ptr<VerbsRail>> rails_;
  std::vector<std::vector<RemoteRegion>> remote_;  // [region][channel]
  std::vector<VerbsChannel> channels_;
  verbs::WriteChain gathered_;
  Channel gathered_for_ = 0;
  std::vector<pollfd> sleepers_;
  std::array<Event, 32> stash_{};
  std::size_t stashed_ = 0;
  std::size_t stash_read_ = 0;
  std::size_t next_rail_ = 0;
  std::optional<Channel> broken_;  // failed without a completion that says so
  int error_ = 0;                  // why, an errno value
};

}  // namespace

std::unique_ptr<Pollable> connect_verbs(Exchange& exchange, std::span<const verbs::Port> rails,
                                        std::span<const ChannelRequest> channels,
                                        const VerbsSettings& settings) {
  return std::make_unique<VerbsTransport>(exchange, rails, channels, settings);
}

}  // namespace railgauge::transport
