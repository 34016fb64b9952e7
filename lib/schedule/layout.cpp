#include "schedule/layout.hpp"

#include <stdexcept>

namespace railgauge::schedule {

Layout Layout::whole(std::size_t elements, Block blocks) {
  if (blocks == 0) throw std::invalid_argument("a layout needs at least one block");
  return {elements, blocks, 0, 0, 0};
}

Layout Layout::each(std::size_t count, Block blocks) {
  if (blocks == 0) throw std::invalid_argument("a layout needs at least one block");
  return {count * blocks, blocks, 0, count, count};
}

Layout Layout::stripe(unsigned index, unsigned stripes) const {
  const bool vector = pitch_ == 0;
  const std::size_t whole = vector ? elements_ : size_;
  const std::size_t begin = whole * index / stripes;
  const std::size_t size = whole * (index + 1) / stripes - begin;
  if (vector) return {size, blocks_, offset_ + begin, 0, 0};
  return {size * blocks_, blocks_, offset_ + begin, size, pitch_};
}

}  // namespace railgauge::schedule
