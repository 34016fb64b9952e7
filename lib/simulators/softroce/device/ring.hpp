#pragma once

#include <cstddef>
#include <vector>

namespace railgauge::softroce {

/// First in, first out. Its memory grows to the longest queue so far, after which nothing is
/// allocated; std::deque allocates all the time while entries pass through.
template <typename Entry>
class Ring {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  Entry& front() { return (*this)[0]; }
  Entry& operator[](std::size_t index) {
    return entries_[(first_ + index) & (entries_.size() - 1)];
  }
  const Entry& operator[](std::size_t index) const {
    return entries_[(first_ + index) & (entries_.size() - 1)];
  }

  void push_back(const Entry& entry) {
    if (size_ == entries_.size()) grow();
    (*this)[size_++] = entry;
  }
  void pop_front() {
    first_ = (first_ + 1) & (entries_.size() - 1);
    --size_;
  }
  void clear() { size_ = 0; }

 private:
  void grow() {
    std::vector<Entry> larger(entries_.empty() ? 16 : 2 * entries_.size());
    for (std::size_t i = 0; i < size_; ++i) larger[i] = (*this)[i];
    entries_.swap(larger);
    first_ = 0;
  }

  std::vector<Entry> entries_;  // none, or a power of two
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace railgauge::softroce
