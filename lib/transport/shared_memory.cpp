#include "transport/shared_memory.hpp"

#include <sys/epoll.h>
#include <limits>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <system_error>

#include "transport/shared_memory_lanes.hpp"

namespace railgauge::transport {
namespace {

// One write in so many is reported even if nobody asks for it.
constexpr std::uint32_t kUnreported = 32;

class SharedMemoryTransport final : public Sleepable {
 public:
  SharedMemoryTransport(Exchange& exchange, std::span<const LaneRequest> lanes)
      : exchange_(exchange),
        requests_(lanes.begin(), lanes.end()),
        own_(lanes.size()),
        inbox_(own_.station, lanes.size()),
        watch_(epoll_create1(EPOLL_CLOEXEC)) {
    to_report_.reserve(lanes.size());
    to_fail_.reserve(lanes.size());
    if (watch_.number() < 0) {
      throw std::system_error(errno, std::generic_category(), "epoll_create1");
    }
    SharedConnections made = connect_shared_lanes(exchange, requests_, own_);
    mates_ = std::move(made.mates);
    lanes_ = std::move(made.lanes);
    // Edge-triggered, so that a ring is over once it has been heard, without reading the bell.
    watch(own_.bell, EPOLLIN | EPOLLET, nullptr);
    for (auto& mate : mates_) watch(mate->from, 0, mate.get());
  }

  SharedMemoryTransport(const SharedMemoryTransport&) = delete;
  SharedMemoryTransport& operator=(const SharedMemoryTransport&) = delete;
  ~SharedMemoryTransport() override {
    own_.station.head->left.store(1, std::memory_order_release);  // before the connections end
  }

  [[nodiscard]] Rank rank() const override { return exchange_.rank(); }
  [[nodiscard]] std::span<const LaneRequest> lanes() const override { return requests_; }
  [[nodiscard]] Lane peer_lane(Lane lane) const override { return lanes_[lane].back; }
  [[nodiscard]] std::uint32_t notes_in_flight() const override { return kNotesPerRing; }
  [[nodiscard]] std::uint32_t taken_at_once() const override {
    return std::numeric_limits<std::uint32_t>::max();  // all are copied
  }

  Region allocate(std::size_t bytes) override {
    const FileHandle file = make_shared_memory(bytes);
    const auto& mapping = memory_.emplace_back(SharedMapping::of(file));
    for (auto& mate : mates_) send_file(mate->to, file, number_of_last_region());
    exchange_.all_gather({});  // everybody has sent, and so nobody waits below
    for (auto& mate : mates_) mate->regions.push_back(take_region(*mate));
    return {number_of_last_region(), mapping->bytes().data(), bytes};
  }

  [[nodiscard]] bool room(Lane lane) const noexcept override { return lanes_[lane].outbox.room(); }

  void write(Lane number, const Write& write) noexcept override {
    SharedLane& lane = lanes_[number];
    assert(lane.outbox.room());
    if (write.bytes > 0) {
      const auto to = lane.mate.regions[write.remote_id]->bytes();
      assert(write.remote_offset + write.bytes <= to.size());
      assert(write.local_offset + write.bytes <= write.local.bytes);
      std::memcpy(to.data() + write.remote_offset, write.local.data + write.local_offset,
                  write.bytes);
    }
    lane.outbox.push(write.note);
    lane.mate.wake();
    ++lane.written;
    if (write.report || ++lane.unreported >= kUnreported) report(lane, number);
  }

  void flush() noexcept override {}  // written at once

  [[nodiscard]] std::size_t poll(std::span<Event> events) noexcept override {
    std::size_t count = take_reports(events);
    count += inbox_.take(events.subspan(count));
    // Last: what a peer has written before its end has arrived.
    for (; count < events.size() && !to_fail_.empty(); to_fail_.pop_back()) {
      events[count++] = {Event::Kind::failed, to_fail_.back(), 0};
    }
    return count;
  }

  void idle(std::chrono::microseconds limit) noexcept override {
    if (arm()) look_up(limit);
    own_.station.head->asleep.store(0, std::memory_order_relaxed);
  }

  [[nodiscard]] std::vector<pollfd> sleepers() const override {
    return {{watch_.number(), POLLIN, 0}};
  }

  /// No wake-up is lost: a writer pushes and then looks whether we sleep; we say that we sleep and
  /// then look for what is pushed. All four are seq_cst, so at least one of the two sees the other.
  bool arm() noexcept override {
    own_.station.head->asleep.store(1, std::memory_order_seq_cst);
    return to_report_.empty() && to_fail_.empty() && !inbox_.anything();
  }

  void disarm() noexcept override {
    own_.station.head->asleep.store(0, std::memory_order_relaxed);
    look_up(std::chrono::microseconds(0));
  }

  [[nodiscard]] std::string describe(Lane number) const override {
    const SharedLane& lane = lanes_[number];
    std::ostringstream words;
    words << "rank " << lane.mate.rank << ": shared memory of process " << lane.mate.process
          << ", which "
          << (lane.mate.took_leave()        ? "has left"
              : lane.mate.from.number() < 0 ? "is dead"
                                            : "is there")
          << ", " << lane.written << " writes, " << lane.outbox.waiting() << " not yet seen";
    return words.str();
  }

  [[nodiscard]] std::string explain(const Event& failed) const override {
    const HostMate& mate = lanes_[failed.lane].mate;
    return "process " + std::to_string(mate.process) + " of rank " + std::to_string(mate.rank) +
           " on this host ended before its time: it was killed, or crashed";
  }

 private:
  void watch(const FileHandle& file, std::uint32_t events, HostMate* mate) {
    epoll_event wanted{events, {.ptr = mate}};
    if (epoll_ctl(watch_.number(), EPOLL_CTL_ADD, file.number(), &wanted) == 0) return;
    throw std::system_error(errno, std::generic_category(), "epoll_ctl");
  }

  [[nodiscard]] std::uint32_t number_of_last_region() const {
    return static_cast<std::uint32_t>(memory_.size() - 1);
  }

  [[nodiscard]] std::shared_ptr<SharedMapping> take_region(const HostMate& mate) const {
    const ReceivedFile received = receive_file(mate.from);
    if (received.word == number_of_last_region()) return SharedMapping::of(received.file);
    throw std::logic_error("ranks allocate in different orders");
  }

  void report(SharedLane& lane, Lane number) noexcept {
    lane.unreported = 0;
    if (!lane.to_report) to_report_.push_back(number);  // within what is reserved
    lane.to_report = true;
  }

  std::size_t take_reports(std::span<Event> events) noexcept {
    std::size_t count = 0;
    for (; count < events.size() && !to_report_.empty(); to_report_.pop_back()) {
      SharedLane& lane = lanes_[to_report_.back()];
      lane.to_report = false;
      events[count++] = {Event::Kind::completed, to_report_.back(), lane.written};
    }
    return count;
  }

  /// Waits for the bell or a peer's end; what the bell tells is for poll() to find.
  void look_up(std::chrono::microseconds limit) noexcept {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
    const timespec time{seconds.count(), (limit - seconds).count() * 1000};
    std::array<epoll_event, 16> events;
    const int count = epoll_pwait2(watch_.number(), events.data(), events.size(), &time, nullptr);
    for (int i = 0; i < count; ++i) {
      auto* mate = static_cast<HostMate*>(events[static_cast<std::size_t>(i)].data.ptr);
      if (mate != nullptr) end(*mate);
    }
  }

  void end(HostMate& mate) noexcept {
    epoll_ctl(watch_.number(), EPOLL_CTL_DEL, mate.from.number(), nullptr);
    mate.from = FileHandle(-1);
    if (mate.took_leave()) return;
    for (Lane lane = 0; lane < lanes_.size(); ++lane) {
      if (&lanes_[lane].mate == &mate) to_fail_.push_back(lane);  // within what is reserved
    }
  }

  Exchange& exchange_;
  std::vector<LaneRequest> requests_;
  OwnStation own_;
  Inbox inbox_;
  FileHandle watch_;                                    // an epoll: our bell, and our peers' ends
  std::vector<std::shared_ptr<SharedMapping>> memory_;  // by region number
  std::vector<std::unique_ptr<HostMate>> mates_;
  std::vector<SharedLane> lanes_;
  std::vector<Lane> to_report_;
  std::vector<Lane> to_fail_;
};

}  // namespace

std::unique_ptr<Sleepable> connect_shared_memory(Exchange& exchange,
                                                 std::span<const LaneRequest> lanes) {
  return std::make_unique<SharedMemoryTransport>(exchange, lanes);
}

}  // namespace railgauge::transport
