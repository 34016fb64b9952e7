#pragma once

#include <cstdint>
#include <vector>

#include "json/codec.hpp"
#include "transport/exchange.hpp"

namespace railgauge::job {

// Values that lib/json can write, exchanged between ranks as CBOR.

template <class T>
[[nodiscard]] transport::Bytes packed(const T& value) {
  const std::vector<std::uint8_t> cbor = json::Json::to_cbor(json::encode(value));
  const auto bytes = std::as_bytes(std::span(cbor));
  return {bytes.begin(), bytes.end()};
}

/// Throws what lib/json throws if the bytes are no such value.
template <class T>
[[nodiscard]] T unpacked(std::span<const std::byte> bytes) {
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
  T value{};
  json::decode(json::Json::from_cbor(begin, begin + bytes.size()), value);
  return value;
}

/// Collective: the value of each rank.
template <class T>
[[nodiscard]] std::vector<T> all_gather_values(transport::Exchange& exchange, const T& own) {
  std::vector<T> values;
  for (const transport::Bytes& bytes : exchange.all_gather(packed(own)))
    values.push_back(unpacked<T>(bytes));
  return values;
}

/// Collective: the lists of all ranks as one, in the order of ranks.
template <class T>
[[nodiscard]] std::vector<T> all_gather_list(transport::Exchange& exchange,
                                             const std::vector<T>& own) {
  std::vector<T> all;
  for (std::vector<T>& list : all_gather_values(exchange, own))
    all.insert(all.end(), std::make_move_iterator(list.begin()),
               std::make_move_iterator(list.end()));
  return all;
}

/// Collective: rank 0's value, on all ranks. That of the others does not matter.
template <class T>
[[nodiscard]] T value_of_leader(transport::Exchange& exchange, const T& own) {
  const bool leads = exchange.rank() == 0;
  return unpacked<T>(exchange.all_gather(leads ? packed(own) : transport::Bytes{}).front());
}

}  // namespace railgauge::job
