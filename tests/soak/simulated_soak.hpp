#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "soak/header.hpp"
#include "soak/window.hpp"

namespace railgauge::soak {

/// What a simulated soak runs on.
struct Machine {
  bool software = false;
  double noise = 0;           // of medians from window to window, as a share; half of it hangs on
  double burst = 0;           // how likely a window is in which one host has other work
  double descheduled_us = 0;  // of a rank in a window, on average
  double slowest = 2;         // the longest iteration, in medians
  double chunk_us = 0;        // of the smallest messages
  double iteration_us = 0;    // likewise
};

/// NICs, and hosts that do nothing else.
[[nodiscard]] Machine quiet_hardware();
/// Soft devices: all hosts are processes of a machine with two processors, which has other work.
[[nodiscard]] Machine busy_machine();

/// Windows as a soak of four hosts with two rails each would have them, all-reduce and all-to-all
/// of two sizes, with a load that rises and falls over the day, and what is planted in them.
class SimulatedSoak {
 public:
  static constexpr int kHosts = 4;
  static constexpr int kRails = 2;

  SimulatedSoak(const Machine& machine, unsigned seed);

  [[nodiscard]] const Header& header() const { return header_; }
  /// The next one.
  [[nodiscard]] Window window();

  [[nodiscard]] PortSample& port(Window& window, int host, int rail) const;
  /// Adds to how long chunks take that the port sends, and those that are sent to it, whoever is at
  /// the other end: of a ring, the neighbours.
  void delay(Window& window, int host, int rail, double us) const;

 private:
  [[nodiscard]] double noisy(double level, std::size_t series);
  [[nodiscard]] PhaseSample phase(std::size_t number, double day);
  [[nodiscard]] PortSample port_sample(int host, int rail);
  [[nodiscard]] PortTimes times(int host, int rail, std::size_t phase, double day);
  [[nodiscard]] RankSample rank(int number);
  void count(PortSample& port);

  Machine machine_;
  std::mt19937_64 random_;
  Header header_;
  std::uint64_t windows_ = 0;
  std::vector<double> noise_;  // of each series, what hangs on from the window before
  int busy_host_ = -1;         // in this window
};

}  // namespace railgauge::soak
