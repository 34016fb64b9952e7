#include "schedule/layout.hpp"

#include <stdexcept>

namespace railgauge::schedule {

Layout Layout::whole(std::size_t elements, Block blocks) {
  if (blocks == 0) throw std::invalid_argument("a layout needs at least one block");
  return {elements, blocks, 0, 0};
}

Layout Layout::each(std::size_t count, Block blocks) {
  if (blocks == 0) throw std::invalid_argument("a layout needs at least one block");
  return {count * blocks, blocks, 0, count};
}

Layout Layout::stripe(unsigned index, unsigned stripes) const {
  const std::size_t whole = pitch_ == 0 ? elements_ : block_size();
  const std::size_t begin = whole * index / stripes;
  const std::size_t size = whole * (index + 1) / stripes - begin;
  return {pitch_ == 0 ? size : size * blocks_, blocks_, offset_ + begin, pitch_};
}

}  // namespace railgauge::schedule
