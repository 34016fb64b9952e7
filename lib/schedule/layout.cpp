#include "schedule/layout.hpp"

#include <stdexcept>
#include <utility>

namespace railgauge::schedule {

Layout Layout::whole(std::size_t elements, Block blocks) {
  if (blocks == 0) throw std::invalid_argument("a layout needs at least one block");
  return {elements, blocks, 0, 0, 0};
}

Layout Layout::each(std::size_t count, Block blocks) {
  if (blocks == 0) throw std::invalid_argument("a layout needs at least one block");
  return {count * blocks, blocks, 0, count, count};
}

Layout Layout::listed(const std::vector<std::size_t>& output, const std::vector<std::size_t>& input,
                      std::size_t most) {
  if (output.empty() || output.size() != input.size()) {
    throw std::invalid_argument("a layout needs as many blocks of output as of input, and some");
  }
  auto all = std::make_shared<std::vector<Listed>>();
  for (const auto* sizes : {&output, &input}) {
    std::size_t begin = 0;
    for (const std::size_t size : *sizes) {
      all->push_back({begin, size});
      begin += size;
    }
    if (begin > most) throw std::invalid_argument("a rank has more elements than any rank has");
  }
  Layout layout(most, static_cast<Block>(output.size()), 0, 0, 0);
  layout.listed_ = std::move(all);
  return layout;
}

/// Of no blocks it is where their buffer begins.
Layout::Span Layout::listed_span(const BlockRange& blocks) const {
  const std::size_t base = blocks.first < blocks_ ? 0 : elements_;
  if (blocks.count == 0) return {base, base};
  if (blocks.count > 1) throw std::logic_error("a range of listed blocks is of one block");
  const Listed& block = listed_->at(blocks.first);
  return {base + block.begin, base + block.begin + block.size};
}

Layout Layout::stripe(unsigned index, unsigned stripes) const {
  if (listed_) {
    auto parts = std::make_shared<std::vector<Listed>>(*listed_);
    for (Listed& block : *parts) {
      const std::size_t begin = block.size * index / stripes;
      block.size = block.size * (index + 1) / stripes - begin;
      block.begin += begin;
    }
    Layout part = *this;
    part.listed_ = std::move(parts);
    return part;
  }
  const bool vector = pitch_ == 0;
  const std::size_t whole = vector ? elements_ : size_;
  const std::size_t begin = whole * index / stripes;
  const std::size_t size = whole * (index + 1) / stripes - begin;
  if (vector) return {size, blocks_, offset_ + begin, 0, 0};
  return {size * blocks_, blocks_, offset_ + begin, size, pitch_};
}

}  // namespace railgauge::schedule
