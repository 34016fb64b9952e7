#include "workload/traces/timeline.hpp"

#include <algorithm>
#include <tuple>

namespace railgauge::workload::traces {

Covered::Covered(std::vector<Span> spans) {
  std::ranges::sort(spans, {}, &Span::begin);
  for (const Span& span : spans) {
    if (!spans_.empty() && span.begin <= spans_.back().end) {
      spans_.back().end = std::max(spans_.back().end, span.end);
    } else {
      spans_.push_back(span);
    }
  }
}

double Covered::within(double begin, double end) {
  double sum = 0;
  while (at_ < spans_.size() && spans_[at_].end <= begin) ++at_;
  for (std::size_t at = at_; at < spans_.size() && spans_[at].begin < end; ++at)
    sum += std::min(end, spans_[at].end) - std::max(begin, spans_[at].begin);
  return sum;
}

struct Timeline::Boundary {
  double time = 0;
  int turn = 0;  // what ends comes before what begins, unless it is the same
  std::size_t exchange = 0;
  bool ends = false;
};

std::size_t Timeline::add(Exchange exchange, Span span) {
  rank_.exchanges.push_back(std::move(exchange));
  spans_.push_back(span);
  return spans_.size() - 1;
}

void Timeline::order() {
  std::map<std::string, Span> last;
  for (std::size_t at = 0; at < spans_.size(); ++at) {
    Span& before = last[stream_of(rank_.exchanges[at])];
    spans_[at].begin = std::max(spans_[at].begin, before.begin);
    spans_[at].end = std::max({spans_[at].end, spans_[at].begin, before.end});
    before = spans_[at];
    if (before.end == std::numeric_limits<double>::infinity()) before.end = 0;
  }
}

std::vector<Timeline::Boundary> Timeline::boundaries(double last) const {
  std::vector<Boundary> all;
  for (std::size_t at = 0; at < spans_.size(); ++at) {
    const double begin = spans_[at].begin;
    const double end = std::min(spans_[at].end, last);
    all.push_back({begin, 1, at, false});
    all.push_back({end, end > begin ? 0 : 1, at, true});
  }
  std::ranges::sort(all, {}, [](const Boundary& one) {
    return std::tuple(one.time, one.turn, one.exchange, one.ends);
  });
  return all;
}

void Timeline::write(std::vector<Span> spans, bool are_idle) {
  order();
  double first = std::numeric_limits<double>::infinity();
  double last = 0;
  const auto see = [&](const Span& span) {
    first = std::min(first, span.begin);
    last =
        std::max(last, span.end == std::numeric_limits<double>::infinity() ? span.begin : span.end);
  };
  std::ranges::for_each(spans_, see);
  std::ranges::for_each(spans, see);
  Covered covered(std::move(spans));
  std::size_t open = 0;
  const auto pass = [&](double time) {
    const double part = open > 0 || are_idle ? covered.within(first, time) : time - first;
    rank_.compute(are_idle ? time - first - part : part);
    first = time;
  };
  for (const Boundary& one : boundaries(last)) {
    pass(one.time);
    open += one.ends ? std::size_t(-1) : 1;
    one.ends ? rank_.end(one.exchange) : rank_.begin(one.exchange);
  }
  pass(last);
}

}  // namespace railgauge::workload::traces
