#pragma once

#include <optional>
#include <string>

#include "json/codec.hpp"

namespace railgauge::json {

// Single fields of documents that other programs write. Errors are FieldErrors, as codec.hpp's.

/// The value of a field, or nothing if it is null or not there.
template <class T>
std::optional<T> maybe(const Json& object, const char* field) {
  std::optional<T> value;
  if (!object.is_object()) return value;
  JsonReader reader(object);
  reader(field, value);
  return value;
}

/// The same of a number that has to be above zero: of ranks, of hosts, of time.
template <class T>
std::optional<T> maybe_positive(const Json& object, const char* field) {
  std::optional<T> value;
  if (object.is_object()) JsonReader(object).positive(field, value);
  return value;
}

/// The same of a field that has to be there.
template <class T>
T wanted(const Json& object, const char* field) {
  T value{};
  JsonReader(object).required(field, value);
  return value;
}

inline std::string text_or_none(const Json& object, const char* field) {
  return maybe<std::string>(object, field).value_or("");
}

/// A list that may be missing or null, which is an empty one.
inline const Json& list(const Json& object, const char* field) {
  static const Json kNone = Json::array();
  const auto found = object.find(field);
  if (found == object.end() || found->is_null()) return kNone;
  if (!found->is_array()) throw FieldError("is no list", field);
  return *found;
}

}  // namespace railgauge::json
