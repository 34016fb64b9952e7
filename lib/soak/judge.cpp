#include "soak/judge.hpp"

namespace railgauge::soak {

Judge::Judge(const Header& header, Terms terms)
    : terms_(std::move(terms)), window_s_(header.window_s) {}

void Judge::take(const Window& /*window*/) {
  ++so_far_.windows;
}
void Judge::take(const Event& /*event*/) {}
void Judge::take(const Gap& /*gap*/) {}

Judgement Judge::judgement() const {
  return so_far_;
}

}  // namespace railgauge::soak
