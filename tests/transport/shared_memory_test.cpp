// What only this wire has: processes that die, sleep, and find nothing of each other in /dev/shm.
// Everything else is in transport_test.cpp, which every wire passes.

#include "transport/shared_memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <fstream>
#include <thread>

#include "transport/processes.hpp"
#include "transport/wire.hpp"

namespace railgauge::transport {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kBytes = 100'000;
const Endings kAllWell(4);

std::vector<ChannelRequest> to_everybody(const Exchange& exchange) {
  std::vector<ChannelRequest> channels;
  for (Rank peer = 0; peer < exchange.ranks(); ++peer) {
    if (peer != exchange.rank()) channels.push_back({peer, 0});
  }
  return channels;
}

std::byte pattern(Rank from, std::size_t at) {
  return static_cast<std::byte>((at * 31 + at / 256 * 7 + std::size_t{from} * 101 + 1) & 0xff);
}

void expect_pattern(const Region& into, Channel channel, Rank from) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < kBytes; ++i) {
    wrong += into.data[channel * kBytes + i] == pattern(from, i) ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0U) << "from rank " << from;
}

/// Everybody writes to everybody, and looks at what has come.
void exchange_patterns(Exchange& exchange) {
  const auto wire = connect_shared_memory(exchange, to_everybody(exchange));
  const Region from = wire->allocate(kBytes);
  const Region into = wire->allocate(wire->channels().size() * kBytes);
  for (std::size_t i = 0; i < kBytes; ++i) from.data[i] = pattern(exchange.rank(), i);
  for (Channel channel = 0; channel < wire->channels().size(); ++channel) {
    wire->write(channel, {.local = from,
                          .remote_id = into.id,
                          .remote_offset = wire->peer_channel(channel) * kBytes,
                          .bytes = kBytes});
  }
  for (std::size_t arrived = 0; arrived < wire->channels().size(); ++arrived) {
    const Event event = next_event(*wire);
    ASSERT_EQ(event.kind, Event::Kind::arrived);
    expect_pattern(into, event.channel, wire->channels()[event.channel].peer);
  }
  exchange.all_gather({});
}

TEST(SharedMemory, ConnectsProcesses) {
  EXPECT_EQ(run_processes(4, exchange_patterns), kAllWell);
}

/// A process that gave up root cannot be looked into by others of its user: its /proc/PID/fd is
/// closed to them, as everybody's is where ptrace_scope is 1.
TEST(SharedMemory, ConnectsProcessesThatMayNotLookIntoEachOther) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root, to give it up";
  EXPECT_EQ(run_processes(4,
                          [](Exchange& exchange) {
                            ASSERT_EQ(setuid(65534), 0);
                            exchange_patterns(exchange);
                          }),
            kAllWell);
}

TEST(SharedMemory, LetsNobodyElseIn) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root, to become somebody else";
  const auto body = [](Exchange& exchange) {
    if (exchange.rank() == 1) {
      ASSERT_EQ(setuid(65534), 0);
    }
    try {
      connect_shared_memory(exchange, to_everybody(exchange));
      ADD_FAILURE() << "let in";
    } catch (const std::system_error& error) {
      EXPECT_NE(std::string(error.what()).find("another user"), std::string::npos) << error.what();
    }
  };
  EXPECT_EQ(run_processes(2, body), Endings(2));
}

/// What of the process' memory has a name under /dev/shm.
std::string mapped_from_dev_shm() {
  std::ifstream maps("/proc/self/maps");
  std::string found;
  for (std::string line; std::getline(maps, line);) {
    if (line.find("/dev/shm/") != std::string::npos) found += line + "\n";
  }
  return found;
}

TEST(SharedMemory, HasNoNameThatCouldStay) {
  const auto body = [](Exchange& exchange) {
    const auto wire = connect_shared_memory(exchange, to_everybody(exchange));
    (void)wire->allocate(kBytes);
    EXPECT_EQ(mapped_from_dev_shm(), "");
  };
  EXPECT_EQ(run_processes(2, body), Endings(2));
}

/// Every channel's failure as long as it takes; how long it took.
milliseconds until_failed(Transport& wire, Event& event) {
  const auto begin = Clock::now();
  std::array<Event, 1> events;
  while (wire.poll(events) == 0 && Clock::now() < begin + seconds(10)) wire.idle(seconds(5));
  event = events[0];
  return std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
}

TEST(SharedMemory, NamesAPeerThatWasKilled) {
  const auto body = [](Exchange& exchange) {
    const auto wire = connect_shared_memory(exchange, to_everybody(exchange));
    (void)wire->allocate(kBytes);
    const auto processes = all_gather(exchange, std::vector{getpid()});
    if (exchange.rank() == 2) raise(SIGKILL);
    Event event;
    EXPECT_LT(until_failed(*wire, event), milliseconds(1000));
    ASSERT_EQ(event.kind, Event::Kind::failed);
    EXPECT_EQ(wire->channels()[event.channel].peer, 2U);
    const std::string process = "process " + std::to_string(processes[2][0]);
    EXPECT_EQ(wire->explain(event),
              process + " of rank 2 on this host ended early: it was killed or crashed");
    EXPECT_EQ(wire->describe(event.channel),
              "rank 2: shared memory of " + process + ", which is dead, 0 writes, 0 not yet seen");
    std::array<Event, 8> more;
    EXPECT_EQ(wire->poll(more), 0U) << "a channel fails once, and others do not";
    // The others stay until all have seen it: a rank that goes is another matter.
    sleep(1);
  };
  EXPECT_EQ(run_processes(4, body), (Endings{"", "", "signal 9", ""}));
}

TEST(SharedMemory, DeliversWhatAKilledPeerHasWritten) {
  const auto body = [](Exchange& exchange) {
    const auto wire = connect_shared_memory(exchange, to_everybody(exchange));
    exchange.all_gather({});
    if (exchange.rank() == 1) {
      for (std::uint32_t notification = 0; notification < 3; ++notification)
        wire->write(0, {.local = {}, .notification = notification});
      raise(SIGKILL);
    }
    sleep(1);
    wire->idle(milliseconds(1));
    wire->disarm();
    for (std::uint32_t notification = 0; notification < 3; ++notification) {
      const Event event = next_event(*wire);
      EXPECT_EQ(event.kind, Event::Kind::arrived);
      EXPECT_EQ(event.value, notification);
    }
    EXPECT_EQ(next_event(*wire).kind, Event::Kind::failed);
  };
  EXPECT_EQ(run_processes(2, body), (Endings{"", "signal 9"}));
}

TEST(SharedMemory, TakesLeaveWithoutFailure) {
  const auto body = [](Exchange& exchange) {
    auto wire = connect_shared_memory(exchange, to_everybody(exchange));
    exchange.all_gather({});
    if (exchange.rank() == 2) return;
    std::array<Event, 1> events;
    const auto end = Clock::now() + milliseconds(300);
    while (Clock::now() < end) {
      wire->idle(milliseconds(50));
      ASSERT_EQ(wire->poll(events), 0U);
      if (exchange.rank() != 0) return;
    }
    for (Channel channel = 0; channel < 3; ++channel) {
      EXPECT_NE(wire->describe(channel).find("has left"), std::string::npos)
          << wire->describe(channel);
    }
  };
  EXPECT_EQ(run_processes(4, body), kAllWell);
}

void pass_the_time(std::uint32_t moments) {
  for (std::uint32_t i = 0; i < moments; ++i) {
    std::atomic_signal_fence(std::memory_order_seq_cst);  // so that this is not left out
  }
}

/// The next notification: polled for, or slept for after so many moments.
void await_notification(Transport& wire, std::uint32_t notification, bool sleeps,
                        std::uint32_t moments) {
  std::array<Event, 1> events{};
  if (sleeps) pass_the_time(moments);
  do {
    const auto begin = Clock::now();
    if (sleeps) wire.idle(seconds(10));
    ASSERT_LT(Clock::now() - begin, seconds(5))
        << "wake-up lost before notification " << notification;
  } while (wire.poll(events) == 0 || events[0].kind != Event::Kind::arrived);
  ASSERT_EQ(events[0].value, notification);
}

/// Notes go to and fro. One side polls and answers at once; the other falls asleep after a moment
/// that differs each time, about as long as the answer takes, so that the two meet in all ways.
/// A wake-up that is lost takes ten seconds.
void play_ping_pong(const Exchange& exchange, Transport& wire, std::uint32_t turns) {
  for (std::uint32_t turn = 0; turn < turns; ++turn) {
    if (turn % 2 == exchange.rank()) {
      wire.write(0, {.local = {}, .notification = turn});
    } else {
      const bool sleeps = turn / 1000 % 2 == exchange.rank();
      await_notification(wire, turn, sleeps, turn * 37 % 1009);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(SharedMemory, LosesNoWakeUpOfAProcess) {
  const auto body = [](Exchange& exchange) {
    const auto wire = connect_shared_memory(exchange, to_everybody(exchange));
    play_ping_pong(exchange, *wire, 100'000);
    exchange.all_gather({});
  };
  EXPECT_EQ(run_processes(2, body), Endings(2));
}

TEST(SharedMemory, LosesNoWakeUpOfAThread) {
  run_ranks(2, [](RankContext& context) {
    const auto wire = connect_shared_memory(context.exchange, to_everybody(context.exchange));
    play_ping_pong(context.exchange, *wire, 30'000);
    context.exchange.all_gather({});
  });
}

/// Many wake one: three ranks send as fast as they may, and one counts, asleep whenever it can be.
TEST(SharedMemory, WakesForWhoeverWrites) {
  constexpr std::uint32_t kNotifications = 20'000;
  const auto body = [](Exchange& exchange) {
    const auto wire = connect_shared_memory(exchange, to_everybody(exchange));
    exchange.all_gather({});
    if (exchange.rank() != 0) {
      for (std::uint32_t sent = 0; sent < kNotifications; ++sent) {
        while (!wire->can_post(0)) std::this_thread::yield();
        wire->write(0, {.local = {}, .notification = sent});
      }
      exchange.all_gather({});
      return;
    }
    std::array<std::uint32_t, 3> came{};
    std::array<Event, 32> events;
    for (std::uint32_t sum = 0; sum < 3 * kNotifications;) {
      const std::size_t count = wire->poll(events);
      sum += static_cast<std::uint32_t>(count);
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(events[i].value, came[events[i].channel]++);
      const auto begin = Clock::now();
      if (count == 0) wire->idle(seconds(10));
      ASSERT_LT(Clock::now() - begin, seconds(5)) << "wake-up lost";
    }
    exchange.all_gather({});
  };
  EXPECT_EQ(run_processes(4, body), kAllWell);
}

TEST(SharedMemory, MakesNoSystemCallWhileNobodySleeps) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "a sanitizer makes calls of its own";
#endif
  const auto body = [](Exchange& exchange) {
    const auto wire = connect_shared_memory(exchange, to_everybody(exchange));
    const Region region = wire->allocate(kBytes);
    exchange.all_gather({});
    forbid_system_calls();
    std::array<Event, 32> events;
    for (int came = 0, sent = 0; came < 300 || sent < 300;) {
      for (; sent <= came && sent < 300; ++sent) {
        wire->write(0, {.local = region, .remote_id = region.id, .bytes = kBytes});
      }
      const std::size_t count = wire->poll(events);
      for (std::size_t i = 0; i < count; ++i)
        came += events[i].kind == Event::Kind::arrived ? 1 : 0;
    }
    _exit(0);
  };
  EXPECT_EQ(run_processes(2, body), Endings(2));
}

TEST(SharedMemory, SaysWhenThereIsNotEnough) {
  run_ranks(1, [](RankContext& context) {
    const auto wire = connect_shared_memory(context.exchange, {});
    try {
      (void)wire->allocate(std::size_t{1} << 50);
      ADD_FAILURE() << "a petabyte";
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("smaller sizes need less"), std::string::npos);
    }
  });
}

}  // namespace
}  // namespace railgauge::transport
