#pragma once

// A fabric without sockets: hosts that send what a test says and keep what they get.

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "softfabric/frames.hpp"
#include "softfabric/model.hpp"

namespace railgauge::softfabric {

using namespace std::chrono_literals;

/// Hosts 0 … with a port each, spread over leaves, every leaf joined to every spine; host h is at
/// leaf h / hosts_per_leaf. Links h are the hosts', then leaf by leaf those to spines. All links
/// 1 Gbit/s, 1 us, MTU 4200. Priority 3 (DSCP 26) is lossless and marks from 50 to 100 KiB; all
/// else is priority 0. Balance is ECMP.
struct Shape {
  int hosts_per_leaf = 2;
  int leaves = 1;
  int spines = 0;
};
Fabric shaped(const Shape& shape);

/// Takes what the model sends to hosts.
class Hosts final : public HostSide {
 public:
  struct Got {
    std::size_t link = 0;
    Frame frame{};
  };
  void packet(std::size_t link, std::span<const std::byte> frame) override {
    packets.push_back({link, {frame.begin(), frame.end()}});
  }
  void pause(std::size_t link, std::span<const std::byte> frame) override {
    pauses.push_back({link, {frame.begin(), frame.end()}});
  }
  [[nodiscard]] std::vector<Frame> at(std::size_t link) const;

  std::vector<Got> packets{};
  std::vector<Got> pauses{};
};

/// Every step checks that no packet gets lost without a reason.
class Rig {
 public:
  explicit Rig(const Fabric& fabric, Model::Limits limits = {.packets = 16384});

  /// From the host of link `from` to that of link `to`; addresses are theirs.
  void send(std::size_t from, std::size_t to, FrameOf what = {});
  void send(std::size_t from, const Frame& frame);
  void run(Time duration);
  /// Until nothing is due any more.
  void run_out();

  [[nodiscard]] std::uint32_t address(std::size_t link) const;
  [[nodiscard]] Index wire(const char* from, const char* to) const;
  /// Sums over priorities of a wire, or over all wires.
  [[nodiscard]] std::uint64_t drops(Drop reason) const;
  [[nodiscard]] std::uint64_t marks() const;
  [[nodiscard]] const PriorityCounters& counters(Index wire, std::size_t priority) const;
  /// How many packets a wire has sent.
  [[nodiscard]] std::uint64_t sent(Index wire) const;

  Hosts hosts;
  Model model;
  Time now{1s};

 private:
  void check();
};

inline constexpr std::uint8_t kLosslessDscp = 26;
/// Of the default FrameOf, and its time on a line of 1 Gbit/s.
inline constexpr std::size_t kFrameBytes = 14 + 20 + 8 + 12 + 1000 + 4;
inline constexpr Time kOnLine{kFrameBytes * 8};

}  // namespace railgauge::softfabric
