#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <vector>

namespace railgauge::transport {

using Rank = std::uint32_t;
using Bytes = std::vector<std::byte>;

/// How ranks tell each other a few bytes outside the fabric under test: addresses before there is
/// a connection. Implemented over MPI by the benchmarks and over threads by the tests.
class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  [[nodiscard]] virtual Rank rank() const = 0;
  [[nodiscard]] virtual Rank ranks() const = 0;
  /// Collective. Everybody's bytes, by rank; they may differ in length. Throws when the others do
  /// not come within the deadline of whoever made the exchange.
  virtual std::vector<Bytes> all_gather(std::span<const std::byte> own) = 0;
};

/// Everybody's list of plain values, by rank.
template <class T>
std::vector<std::vector<T>> all_gather(Exchange& exchange, const std::vector<T>& own) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<std::vector<T>> lists;
  for (const Bytes& bytes : exchange.all_gather(std::as_bytes(std::span(own)))) {
    if (bytes.size() % sizeof(T) != 0) throw std::runtime_error("ranks exchange different types");
    std::vector<T> list(bytes.size() / sizeof(T));
    if (!list.empty()) std::memcpy(list.data(), bytes.data(), bytes.size());
    lists.push_back(std::move(list));
  }
  return lists;
}

/// Text of a fixed size, so that it can be exchanged as bytes; cut off where it is longer.
using ShortText = std::array<char, 64>;
inline ShortText short_text(std::string_view text) {
  ShortText fixed{};
  std::copy_n(text.begin(), std::min(text.size(), fixed.size() - 1), fixed.begin());
  return fixed;
}

}  // namespace railgauge::transport
