#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace railgauge::doctor {

/// A port as pairs name it.
struct ProbedPort {
  std::string host{};
  std::string device{};
  int number = 1;

  friend auto operator<=>(const ProbedPort&, const ProbedPort&) = default;
};

/// How a path between two ports did.
enum class Did : std::uint8_t {
  well,
  lost_large_packets,  ///< smaller ones passed
  nothing,             ///< not even small packets passed
  slowly,
};

/// What a test of pairs found of one port's sending to another.
struct PairProbe {
  ProbedPort from{};
  ProbedPort to{};
  bool same_rail = true;  ///< others may leave by another port of their host
  Did did = Did::well;
  bool sure = true;      ///< no busy host is an excuse
  std::string remark{};  ///< why it is bad
};

/// What a test of pairs found.
struct PairProbes {
  std::vector<PairProbe> probes{};
  std::string unfinished{};  ///< how it ended, if not all was measured; empty: all was
};

}  // namespace railgauge::doctor
