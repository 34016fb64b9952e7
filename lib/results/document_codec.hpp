#pragma once

#include "results/codec.hpp"
#include "results/document.hpp"

namespace railgauge::json {

// What of a document is neither a struct with fields nor one of codec.hpp's.

template <>
struct Codec<results::ExitCode> {
  static Json encode(results::ExitCode code) { return static_cast<int>(code); }
  static void decode(const Json& json, results::ExitCode& code) {
    int number = 0;
    json::decode(json, number);
    code = static_cast<results::ExitCode>(number);
    if (status_word(code).empty()) throw FieldError("is no exit code: " + std::to_string(number));
  }
};

template <>
struct Codec<measure::Histogram::Bin> {
  using Bin = measure::Histogram::Bin;

  static Json encode(const Bin& bin) { return {bin.lower_us, bin.upper_us, bin.count}; }
  static void decode(const Json& json, Bin& bin) {
    if (!json.is_array() || json.size() != 3) wrong_type(json);
    json::decode(json[0], bin.lower_us);
    json::decode(json[1], bin.upper_us);
    json::decode(json[2], bin.count);
  }
};

template <>
struct Codec<decltype(results::Option::value)> {
  using Value = decltype(results::Option::value);

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

}  // namespace railgauge::json

namespace railgauge::results {

/// With -I 1: adds to a document what nccl-tests' own -J has of the same run, under its names and
/// in its units (version, config and results, of file version 3; src/util.cu of 2.19), with the
/// time of every iteration on every rank. Its tools/analyze_perf_json.py reads the document because
/// of it. Adds nothing to a document whose measurements have no such times.
void add_nccl_json(nlohmann::ordered_json& json, const Document& document);

}  // namespace railgauge::results
