#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "transport/wire.hpp"

namespace railgauge::transport {

void run_ranks(Rank ranks, const std::function<void(RankContext&)>& body) {
  InProcessFabric fabric(ranks);
  std::string why_not;
  const std::unique_ptr<Wire> wire = make_wire(fabric, why_not);
  if (!wire) GTEST_SKIP() << why_not;
  std::vector<std::thread> threads;
  for (Rank rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        const auto exchange = fabric.exchange(rank);
        RankContext context{*wire, *exchange, rank, ranks};
        body(context);
      } catch (const std::exception& error) {
        // The other ranks would wait for this one for ever.
        std::fprintf(stderr, "rank %u: %s\n", rank, error.what());
        std::abort();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

Event next_event(Transport& transport) {
  std::array<Event, 1> event;
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (transport.poll(event) == 0) {
    if (std::chrono::steady_clock::now() > give_up) throw std::runtime_error("no event came");
    transport.idle(std::chrono::microseconds(1000));
  }
  return event[0];
}

}  // namespace railgauge::transport
