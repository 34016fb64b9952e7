#pragma once

#include "results/codec.hpp"
#include "results/document.hpp"

namespace railgauge::results {

// What of a document is neither a struct with fields nor one of codec.hpp's.

template <>
struct Codec<ExitCode> {
  static Json encode(ExitCode code) { return static_cast<int>(code); }
  static void decode(const Json& json, ExitCode& code) {
    int number = 0;
    results::decode(json, number);
    code = static_cast<ExitCode>(number);
    if (status_word(code).empty()) throw FieldError("is no exit code: " + std::to_string(number));
  }
};

template <>
struct Codec<measure::Histogram::Bin> {
  using Bin = measure::Histogram::Bin;

  static Json encode(const Bin& bin) { return {bin.lower_us, bin.upper_us, bin.count}; }
  static void decode(const Json& json, Bin& bin) {
    if (!json.is_array() || json.size() != 3) wrong_type(json);
    results::decode(json[0], bin.lower_us);
    results::decode(json[1], bin.upper_us);
    results::decode(json[2], bin.count);
  }
};

template <>
struct Codec<decltype(Option::value)> {
  using Value = decltype(Option::value);

  static Json encode(const Value& value) {
    return std::visit([](const auto& held) { return Json(held); }, value);
  }
  static void decode(const Json& json, Value& value) {
    if (json.is_boolean()) {
      value = json.get<bool>();
    } else if (json.is_number_unsigned()) {
      value = json.get<std::uint64_t>();
    } else if (json.is_number_integer()) {
      value = json.get<std::int64_t>();
    } else if (json.is_number()) {
      value = json.get<double>();
    } else if (json.is_string()) {
      value = json.get<std::string>();
    } else {
      wrong_type(json);
    }
  }
};

}  // namespace railgauge::results
