#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace railgauge::results {

using Json = nlohmann::ordered_json;

/// What is wrong with a field, and where it is.
class PlacedError : public std::runtime_error {
 public:
  PlacedError(std::string pointer, const std::string& what)
      : std::runtime_error(what), pointer_(std::move(pointer)) {}

  /// A JSON pointer: "/runs/3/nodes".
  [[nodiscard]] const std::string& pointer() const { return pointer_; }

 private:
  std::string pointer_;
};

[[noreturn]] inline void refuse(const std::string& field, const std::string& what) {
  throw PlacedError("/" + field, "the field '" + field + "' " + what);
}

/// What `read` makes of what stands in a field, or at a place of a list. Throws PlacedError, whose
/// pointer begins there and whose text with `name` ("runs[3]"), for whatever `read` throws.
template <class Read>
auto within(const std::string& pointer, const std::string& name, const Read& read) {
  try {
    return read();
  } catch (const PlacedError& error) {
    throw PlacedError(pointer + error.pointer(), name + ": " + error.what());
  } catch (const std::runtime_error& error) {
    throw PlacedError(pointer, name + ": " + error.what());
  }
}

/// The same of an element of a list, which has to be an object.
template <class Read>
auto element_of(const Read& read, const Json& json, const std::string& list, std::size_t number) {
  const std::string place = std::to_string(number);
  return within("/" + list + "/" + place, list + "[" + place + "]", [&] {
    if (!json.is_object()) throw std::runtime_error("it is no object");
    return read(json);
  });
}

/// Whether a number is one that a type can hold; true for what is no number.
template <class T>
bool fits(const Json& json) {
  if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    if (json.is_number_unsigned()) return std::in_range<T>(json.get<std::uint64_t>());
    return json.is_number_integer() && std::in_range<T>(json.get<std::int64_t>());
  } else if constexpr (std::floating_point<T>) {
    return json.is_number();
  }
  return true;
}

/// The value of a field, or nothing if it is null or not there. Throws std::runtime_error, which
/// names the field, if it is of another type, or of another range.
template <class T>
std::optional<T> maybe(const Json& object, const char* field) {
  const auto found = object.find(field);
  if (found == object.end() || found->is_null()) return std::nullopt;
  try {
    if (fits<T>(*found)) return found->get<T>();
  } catch (const nlohmann::json::exception&) {  // as below
  }
  refuse(field, "is of the wrong type: " + found->dump().substr(0, 40));
}

/// The same of a number that has to be above zero: of ranks, of hosts, of time. Throws
/// std::runtime_error, which names the field, if it is not.
template <class T>
std::optional<T> maybe_positive(const Json& object, const char* field) {
  const auto value = maybe<T>(object, field);
  if (value && !(*value > T{})) {
    refuse(field, "is " + object.find(field)->dump() + ": it has to be above zero");
  }
  return value;
}

/// The same of a field that has to be there. Throws std::runtime_error, which names it, if not.
template <class T>
T wanted(const Json& object, const char* field) {
  const auto value = maybe<T>(object, field);
  if (!value) refuse(field, "is missing");
  return *value;
}

inline std::string text_or_none(const Json& object, const char* field) {
  return maybe<std::string>(object, field).value_or("");
}

/// A list that may be missing or null, which is an empty one.
inline const Json& list(const Json& object, const char* field) {
  static const Json kNone = Json::array();
  const auto found = object.find(field);
  if (found == object.end() || found->is_null()) return kNone;
  if (!found->is_array()) {
    refuse(field, "is not a list");
  }
  return *found;
}

/// Throws std::runtime_error, which names the document's own schema, if it is none of those.
inline void expect_schema(const Json& document, std::initializer_list<std::string> read) {
  const std::string schema = document.is_object() ? text_or_none(document, "schema") : "";
  std::string wanted;
  for (const std::string& one : read) {
    if (schema == one) return;
    wanted += (wanted.empty() ? "" : " or ") + one;
  }
  throw PlacedError("/schema",
                    (schema.empty() ? "it has no schema" : "its schema is '" + schema + "'") +
                        ", and this railgauge reads " + wanted);
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

inline Json or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

}  // namespace railgauge::results
