#pragma once

#include <cstdint>
#include <vector>

#include "isolation/verdict.hpp"

namespace railgauge::isolation {

/// Two NICs that are tested with each other, both directions.
struct Pair {
  std::size_t first = 0;
  std::size_t second = 0;
};

/// A test to be made again.
struct Flow {
  std::size_t from = 0;
  std::size_t to = 0;
  std::uint16_t source_port = 0;
  bool control = false;  ///< it does not pass the suspect, but starts or ends where its tests do
};

struct Plan {
  int most_rounds = 8;
  /// Whether NICs of different rails are matched. Where a rail has two leaves only, a link up and
  /// the link down that follows are always passed together, unless rails are crossed.
  bool cross_rail = false;
  int ports = 4;  ///< source ports per pair and round, one after the other
  std::uint64_t seed = 1;
};

/// Who is tested with whom in a round, from 0: a random perfect matching of the NICs of every rail,
/// or of all, so that no NIC is in two tests and everything is crossed by ever other pairs. NICs of
/// one host are kept apart, and where that is possible those that tests so far have told to be
/// below one leaf; of an odd number one rests. So does what is dead, whose tests take long and tell
/// no more: a NIC that failed in its four latest tests at least, with two others, one of which
/// works with others. The same for the same seed and tests.
[[nodiscard]] std::vector<Pair> matching(const Evidence& evidence, int round, const Plan& plan);

/// The source ports of a round, from 49152 on; no two rounds have one in common before all were
/// used.
[[nodiscard]] std::vector<std::uint16_t> source_ports(int round, const Plan& plan);

/// Whether to stop after so many rounds: everything was tested often enough to be found, and what
/// was found is decided; or there were as many as planned.
[[nodiscard]] bool enough(const Verdict& verdict, int rounds, const Plan& plan);

/// What to test again, alone and one after the other, before anything is called bad: for each
/// of the first three suspects that are open three of the flows that pass it, between ever other
/// NICs, and as a control one of the same NICs that does not; of a suspect of a part, flows that
/// were bad.
[[nodiscard]] std::vector<Flow> retests(const Evidence& evidence, const Verdict& verdict);

}  // namespace railgauge::isolation
