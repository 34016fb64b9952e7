#include "transport/host_aware.hpp"

#include <algorithm>
#include <vector>

#include "transport/counterpart.hpp"
#include "transport/shared_memory.hpp"

namespace railgauge::transport {
namespace {

/// One of the two transports, and which of our lanes its lanes are.
struct Wire {
  std::unique_ptr<Sleepable> transport;
  std::vector<LaneRequest> requests;
  std::vector<Lane> ours;  // [lane of the wire]
};

/// Where one of our lanes is.
struct Place {
  Wire& wire;
  Lane lane;
  Lane back;  // the number the peer has given to ours
};

class HostAwareTransport final : public Transport {
 public:
  HostAwareTransport(Exchange& exchange, std::span<const verbs::Port> rails,
                     std::span<const LaneRequest> lanes,
                     const std::function<bool(Rank)>& on_this_host, VerbsSettings settings)
      : exchange_(exchange), requests_(lanes.begin(), lanes.end()) {
    place(on_this_host);
    memory_.transport = connect_shared_memory(exchange, memory_.requests);
    settings.memory = [this](std::size_t bytes) {
      const Region region = memory_.transport->allocate(bytes);
      return std::span(region.data, region.bytes);
    };
    verbs_.transport = connect_verbs(exchange, rails, verbs_.requests, settings);
    for (const Wire* wire : {&memory_, &verbs_}) {
      const auto more = wire->transport->sleepers();
      sleepers_.insert(sleepers_.end(), more.begin(), more.end());
    }
  }

  [[nodiscard]] Rank rank() const override { return exchange_.rank(); }
  [[nodiscard]] std::span<const LaneRequest> lanes() const override { return requests_; }
  [[nodiscard]] Lane peer_lane(Lane lane) const override { return places_[lane].back; }
  [[nodiscard]] std::uint32_t notes_in_flight() const override {
    return std::min(memory_.transport->notes_in_flight(), verbs_.transport->notes_in_flight());
  }
  [[nodiscard]] std::uint32_t taken_at_once() const override {
    return std::min(memory_.transport->taken_at_once(), verbs_.transport->taken_at_once());
  }

  /// Verbs registers what shared memory has, and so both give it the same number.
  Region allocate(std::size_t bytes) override { return verbs_.transport->allocate(bytes); }

  [[nodiscard]] bool room(Lane lane) const noexcept override {
    return places_[lane].wire.transport->room(places_[lane].lane);
  }

  void write(Lane lane, const Write& write) noexcept override {
    places_[lane].wire.transport->write(places_[lane].lane, write);
  }

  void flush() noexcept override { verbs_.transport->flush(); }

  [[nodiscard]] std::size_t poll(std::span<Event> events) noexcept override {
    // In turns, so that neither starves the other.
    memory_first_ = !memory_first_;
    const std::size_t count = poll_wire(memory_first_ ? memory_ : verbs_, events);
    return count + poll_wire(memory_first_ ? verbs_ : memory_, events.subspan(count));
  }

  void idle(std::chrono::microseconds limit) noexcept override {
    // Both are armed, even if the first has something: disarming is for both.
    const bool memory_is_quiet = memory_.transport->arm();
    const bool verbs_is_quiet = verbs_.transport->arm();
    if (memory_is_quiet && verbs_is_quiet) sleep_on(sleepers_, limit);
    memory_.transport->disarm();
    verbs_.transport->disarm();
  }

  [[nodiscard]] std::string describe(Lane lane) const override {
    return places_[lane].wire.transport->describe(places_[lane].lane);
  }
  [[nodiscard]] std::string explain(const Event& failed) const override {
    Event there = failed;
    there.lane = places_[failed.lane].lane;
    return places_[failed.lane].wire.transport->explain(there);
  }

 private:
  void place(const std::function<bool(Rank)>& on_this_host) {
    const auto everybody = transport::all_gather(exchange_, requests_);
    for (Lane lane = 0; lane < requests_.size(); ++lane) {
      const LaneRequest& request = requests_[lane];
      Wire& wire = on_this_host(request.peer) ? memory_ : verbs_;
      const Lane back = counterpart(requests_, lane, rank(), everybody.at(request.peer));
      places_.push_back({wire, static_cast<Lane>(wire.requests.size()), back});
      wire.requests.push_back(request);
      wire.ours.push_back(lane);
    }
  }

  static std::size_t poll_wire(Wire& wire, std::span<Event> events) noexcept {
    const std::size_t count = wire.transport->poll(events);
    for (Event& event : events.first(count)) event.lane = wire.ours[event.lane];
    return count;
  }

  Exchange& exchange_;
  std::vector<LaneRequest> requests_;
  Wire memory_;  // outlives what verbs has registered of it
  Wire verbs_;
  std::vector<Place> places_;  // [lane]
  std::vector<pollfd> sleepers_;
  bool memory_first_ = false;
};

}  // namespace

std::unique_ptr<Transport> connect_host_aware(Exchange& exchange,
                                              std::span<const verbs::Port> rails,
                                              std::span<const LaneRequest> lanes,
                                              const std::function<bool(Rank)>& on_this_host,
                                              const VerbsSettings& settings) {
  return std::make_unique<HostAwareTransport>(exchange, rails, lanes, on_this_host, settings);
}

}  // namespace railgauge::transport
