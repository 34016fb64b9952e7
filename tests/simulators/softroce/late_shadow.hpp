#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "softroce/device/shadow.hpp"

namespace railgauge::softroce {

/// Memory that stands for a GPU's, and what its driver was asked for.
struct Gpu {
  std::span<std::byte> memory{};
  unsigned fetched = 0, stored = 0;  ///< copies that were started
  bool fails = false;                ///< the copies that it is asked for from now on
};

/// A shadow whose copies take place no sooner than somebody waits for them.
class LateShadow final : public Shadow {
 public:
  explicit LateShadow(Gpu& gpu) : gpu_(gpu) {}
  std::byte* bytes() const override { return bytes_; }
  std::size_t length() const override { return storage_.size(); }
  bool start(Copy direction, std::uint64_t offset, std::size_t length) override {
    ++(direction == Copy::from_device ? gpu_.fetched : gpu_.stored);
    if (!gpu_.fails) started_.push_back({direction, offset, length});
    return !gpu_.fails;
  }
  bool finish() override {
    for (const Started& copy : started_) {
      std::byte* const here = bytes_ + copy.offset;
      std::byte* const there = gpu_.memory.data() + copy.offset;
      const bool fetches = copy.direction == Copy::from_device;
      std::memcpy(fetches ? here : there, fetches ? there : here, copy.length);
    }
    started_.clear();
    return true;
  }

 private:
  struct Started {
    Copy direction;
    std::uint64_t offset;
    std::size_t length;
  };
  Gpu& gpu_;
  std::vector<std::byte> storage_ = std::vector<std::byte>(gpu_.memory.size(), std::byte{0xee});
  std::byte* bytes_ = storage_.data();
  std::vector<Started> started_{};
};

}  // namespace railgauge::softroce
