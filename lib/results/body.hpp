#pragma once

#include <cstddef>
#include <string>
#include <variant>

#include "results/collective.hpp"
#include "results/congestion.hpp"
#include "results/isolate.hpp"
#include "results/job.hpp"
#include "results/pairs.hpp"
#include "results/soak.hpp"

namespace railgauge::results {

/// What sets one kind of result apart from the others. Whoever treats kinds differently visits this
/// with a function for each, so that a kind somebody forgot does not compile.
using Body =
    std::variant<CollectiveBody, PairsBody, SoakBody, IsolateBody, CongestionBody, JobBody>;

/// "collective", "pairs", "soak", "isolate", "congestion", "job".
[[nodiscard]] inline std::string kind_name(const Body& body) {
  return std::visit([](const auto& held) { return std::string(held.kKind); }, body);
}

/// How many there are, whatever they are of.
[[nodiscard]] inline std::size_t row_count(const Body& body) {
  return std::visit([](const auto& held) { return held.rows.size(); }, body);
}

/// A visitor made of a function for each kind.
template <class... Functions>
struct ForKind : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
ForKind(Functions...) -> ForKind<Functions...>;

}  // namespace railgauge::results
