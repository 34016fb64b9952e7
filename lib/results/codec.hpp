#pragma once

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "results/utc.hpp"

namespace railgauge::results {

// Values as JSON and back. A struct says once what its fields are called,
//
//   template <class Self, class Visit>
//   static void fields(Self& self, Visit& visit) {
//     visit.required("device", self.device);  // a document without it is refused
//     visit("port", self.port);               // an older one has the default
//   }
//
// and JsonWriter and JsonReader visit it. What belongs to lib/measure, which knows no documents,
// has a function `fields` in this namespace instead.

using Json = nlohmann::ordered_json;

/// A sentence about a document that names the field by its way from the top: "the field
/// 'rows[0].size_bytes' is missing".
class FieldError : public std::runtime_error {
 public:
  explicit FieldError(std::string what, std::string path = "")
      : std::runtime_error("the field '" + path + "' " + what),
        what_(std::move(what)),
        path_(std::move(path)) {}

  /// The same, of a field in `outer`.
  [[nodiscard]] FieldError in(const std::string& outer) const {
    const bool dot = !path_.empty() && path_.front() != '[';
    return FieldError(what_, outer + (dot ? "." : "") + path_);
  }

 private:
  std::string what_;
  std::string path_;
};

[[noreturn]] inline void wrong_type(const Json& json) {
  constexpr std::size_t kShown = 40;
  throw FieldError("is of the wrong type: " +
                   json.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, kShown));
}

template <class T>
struct Codec;

template <class T>
Json encode(const T& value) {
  return Codec<T>::encode(value);
}

template <class T>
void decode(const Json& json, T& value) {
  Codec<T>::decode(json, value);
}

/// `decode`, with errors that name the field it is in.
template <class T>
void decode_in(const std::string& field, const Json& json, T& value) {
  try {
    decode(json, value);
  } catch (const FieldError& error) {
    throw error.in(field);
  }
}

/// Puts fields into an object.
class JsonWriter {
 public:
  explicit JsonWriter(Json& object) : object_(object) {}

  template <class T>
  void operator()(const char* name, const T& value) {
    object_[name] = encode(value);
  }
  template <class T>
  void required(const char* name, const T& value) {
    (*this)(name, value);
  }
  /// Left out if it is empty.
  template <class T>
  void if_any(const char* name, const std::optional<T>& value) {
    if (value) (*this)(name, *value);
  }
  /// What follows from other fields: it is written, and not read.
  template <class T>
  void computed(const char* name, const T& value) {
    (*this)(name, value);
  }
  template <class E>
  void word(const char* name, const E& value, std::string_view (*text)(E)) {
    object_[name] = text(value);
  }
  /// Fields in an object of their own, which `visit` visits.
  template <class Visit>
  void object(const char* name, const Visit& visit) {
    JsonWriter inner(object_[name] = Json::object());
    visit(inner);
  }

 private:
  Json& object_;
};

/// Takes fields from an object. What is missing or null stays as it is.
class JsonReader {
 public:
  explicit JsonReader(const Json& object) : object_(object) {
    if (!object.is_object()) wrong_type(object);
  }

  template <class T>
  void operator()(const char* name, T& value) {
    if (const Json* const found = find(name)) decode_in(name, *found, value);
  }
  template <class T>
  void required(const char* name, T& value) {
    if (find(name) == nullptr) throw FieldError("is missing", name);
    (*this)(name, value);
  }
  template <class T>
  void if_any(const char* name, std::optional<T>& value) {
    (*this)(name, value);
  }
  template <class T>
  void computed(const char* /*name*/, const T& /*value*/) {}
  template <class E>
  void word(const char* name, E& value, std::string_view (*text)(E)) {
    std::string found;
    (*this)(name, found);
    if (found.empty()) return;
    for (int number = 0; !text(static_cast<E>(number)).empty(); ++number) {
      value = static_cast<E>(number);
      if (text(value) == found) return;
    }
    throw FieldError("cannot be '" + found + "'", name);
  }
  template <class Visit>
  void object(const char* name, const Visit& visit) try {
    if (const Json* const found = find(name)) {
      JsonReader inner(*found);
      visit(inner);
    }
  } catch (const FieldError& error) {
    throw error.in(name);
  }

 private:
  [[nodiscard]] const Json* find(const char* name) const {
    const auto found = object_.find(name);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }

  const Json& object_;
};

template <class T>
concept HasFields = requires(T& value, JsonReader& reader) {
  T::fields(value, reader);
};

template <class T, class Visit>
void visit_fields(T& value, Visit& visit) {
  if constexpr (HasFields<std::remove_const_t<T>>) {
    T::fields(value, visit);
  } else {
    fields(value, visit);
  }
}

/// A struct, by its fields.
template <class T>
struct Codec {
  static Json encode(const T& value) {
    Json object = Json::object();
    JsonWriter writer(object);
    visit_fields(value, writer);
    return object;
  }
  static void decode(const Json& json, T& value) {
    JsonReader reader(json);
    visit_fields(value, reader);
  }
};

template <>
struct Codec<std::string> {
  static Json encode(const std::string& value) { return value; }
  static void decode(const Json& json, std::string& value) {
    if (!json.is_string()) wrong_type(json);
    value = json.get<std::string>();
  }
};

template <>
struct Codec<bool> {
  static Json encode(bool value) { return value; }
  static void decode(const Json& json, bool& value) {
    if (!json.is_boolean()) wrong_type(json);
    value = json.get<bool>();
  }
};

template <std::floating_point T>
struct Codec<T> {
  static Json encode(T value) { return value; }
  static void decode(const Json& json, T& value) {
    if (!json.is_number()) wrong_type(json);
    value = json.get<T>();
  }
};

template <std::integral T>
struct Codec<T> {
  static Json encode(T value) { return value; }
  static void decode(const Json& json, T& value) {
    if (!json.is_number_integer() || !fits(json)) wrong_type(json);
    value = json.get<T>();
  }

 private:
  static bool fits(const Json& json) {
    return json.is_number_unsigned() ? std::in_range<T>(json.get<std::uint64_t>())
                                     : std::in_range<T>(json.get<std::int64_t>());
  }
};

template <>
struct Codec<std::chrono::system_clock::time_point> {
  static Json encode(std::chrono::system_clock::time_point value) { return utc(value); }
  static void decode(const Json& json, std::chrono::system_clock::time_point& value) {
    const auto time = json.is_string() ? time_of(json.get<std::string>()) : std::nullopt;
    if (!time) wrong_type(json);
    value = *time;
  }
};

template <class T>
struct Codec<std::optional<T>> {
  static Json encode(const std::optional<T>& value) {
    return value ? results::encode(*value) : Json(nullptr);
  }
  static void decode(const Json& json, std::optional<T>& value) {
    if (json.is_null()) return value.reset();
    results::decode(json, value.emplace());
  }
};

template <class T>
struct Codec<std::vector<T>> {
  static Json encode(const std::vector<T>& values) {
    Json list = Json::array();
    for (const T& value : values) list.push_back(results::encode(value));
    return list;
  }
  static void decode(const Json& json, std::vector<T>& values) {
    if (!json.is_array()) wrong_type(json);
    values.clear();
    for (const Json& one : json) {
      const std::string place = "[" + std::to_string(values.size()) + "]";
      decode_in(place, one, values.emplace_back());
    }
  }
};

template <class T>
struct Codec<std::map<std::string, T>> {
  static Json encode(const std::map<std::string, T>& values) {
    Json object = Json::object();
    for (const auto& [name, value] : values) object[name] = results::encode(value);
    return object;
  }
  static void decode(const Json& json, std::map<std::string, T>& values) {
    if (!json.is_object()) wrong_type(json);
    for (const auto& [name, value] : json.items()) decode_in(name, value, values[name]);
  }
};

}  // namespace railgauge::results
