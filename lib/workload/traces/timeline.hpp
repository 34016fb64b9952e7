#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "workload/traces/record.hpp"

namespace railgauge::workload::traces {

/// Microseconds of a rank's clock.
struct Span {
  double begin = 0;
  double end = 0;
};

/// The part of [begin, end) that spans cover: asked for in the order of time, of disjoint spans.
class Covered {
 public:
  explicit Covered(std::vector<Span> spans);
  [[nodiscard]] double within(double begin, double end);

 private:
  std::vector<Span> spans_;
  std::size_t at_ = 0;
};

/// A rank's exchanges with their times, in the order in which it issued them. Those of a group
/// begin and end in that order, whatever their times say.
class Timeline {
 public:
  explicit Timeline(RankRecord& rank) : rank_(rank) {}

  /// Its number in the rank's record.
  std::size_t add(Exchange exchange, Span span);
  /// Its end is not known: end() says it, or it is that of the trace.
  void go_on(std::size_t exchange) {
    spans_[exchange].end = std::numeric_limits<double>::infinity();
  }
  void end(std::size_t exchange, double time) { spans_[exchange].end = time; }

  /// Adds moments to the record. Outside of exchanges all time is compute; during one it is what
  /// the spans cover. If they are idle, it is what they do not cover, here and there.
  void write(std::vector<Span> spans, bool are_idle);

 private:
  struct Boundary;
  void order();
  [[nodiscard]] std::vector<Boundary> boundaries(double last) const;

  RankRecord& rank_;
  std::vector<Span> spans_{};  // of exchanges
};

}  // namespace railgauge::workload::traces
