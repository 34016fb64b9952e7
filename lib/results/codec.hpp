#pragma once

#include <chrono>

#include "json/codec.hpp"
#include "results/utc.hpp"

namespace railgauge::json {

template <>
struct Codec<std::chrono::system_clock::time_point> {
  static Json encode(std::chrono::system_clock::time_point value) { return results::utc(value); }
  static void decode(const Json& json, std::chrono::system_clock::time_point& value) {
    const auto time = json.is_string() ? results::time_of(json.get<std::string>()) : std::nullopt;
    if (!time) wrong_type(json);
    value = *time;
  }
};

}  // namespace railgauge::json

namespace railgauge::results {

// Values of results are written and read by lib/json.
using json::decode;
using json::encode;
using json::Json;
using json::JsonWriter;

}  // namespace railgauge::results
