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

/// How ranks exchange a few bytes outside the fabric under test, such as addresses before there is
/// a connection. lib/job implements it over MPI, the tests over threads and pipes.
class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  [[nodiscard]] virtual Rank rank() const = 0;
  [[nodiscard]] virtual Rank ranks() const = 0;
  /// Collective. The bytes of all ranks, by rank; lengths may differ. Throws if the others do not
  /// arrive before the deadline, which is the implementation's.
  virtual std::vector<Bytes> all_gather(std::span<const std::byte> own) = 0;
  /// Collective among neighbours: hands own[i] to peers[i] and returns what each of them has for
  /// this rank, in the same order; lengths may differ. Peers are distinct and have to name this
  /// rank, too. It waits for them and for nobody else, and without peers not at all: two ranks that
  /// are no neighbours may be any number of calls apart. What two ranks exchange with each other
  /// keeps its order. Throws if a peer does not call before the deadline, and names it.
  virtual std::vector<Bytes> exchange_with(std::span<const Rank> peers,
                                           std::span<const Bytes> own) = 0;
};

/// The plain values in each of these messages.
template <class T>
std::vector<std::vector<T>> lists_of(const std::vector<Bytes>& messages) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<std::vector<T>> lists;
  for (const Bytes& bytes : messages) {
    if (bytes.size() % sizeof(T) != 0) throw std::runtime_error("ranks exchange different types");
    std::vector<T> list(bytes.size() / sizeof(T));
    if (!list.empty()) std::memcpy(list.data(), bytes.data(), bytes.size());
    lists.push_back(std::move(list));
  }
  return lists;
}

/// The lists of plain values of all ranks, by rank.
template <class T>
std::vector<std::vector<T>> all_gather(Exchange& exchange, const std::vector<T>& own) {
  return lists_of<T>(exchange.all_gather(std::as_bytes(std::span(own))));
}

/// The lists of plain values that the peers have for this rank, for those that it has for them.
template <class T>
std::vector<std::vector<T>> exchange_with(Exchange& exchange, std::span<const Rank> peers,
                                          const std::vector<std::vector<T>>& own) {
  std::vector<Bytes> messages;
  for (const std::vector<T>& list : own) {
    const auto bytes = std::as_bytes(std::span(list));
    messages.emplace_back(bytes.begin(), bytes.end());
  }
  return lists_of<T>(exchange.exchange_with(peers, messages));
}

/// Text of a fixed size, so that it can be exchanged as bytes; longer text is truncated.
using ShortText = std::array<char, 64>;
inline ShortText short_text(std::string_view text) {
  ShortText fixed{};
  std::copy_n(text.begin(), std::min(text.size(), fixed.size() - 1), fixed.begin());
  return fixed;
}

}  // namespace railgauge::transport
