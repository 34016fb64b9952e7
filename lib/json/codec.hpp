#pragma once

#include <cmath>
#include <concepts>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "json/members.hpp"

namespace railgauge::json {

// lib/json turns values into JSON and back, with errors that name the field. It must not know what
// any document is about.
//
// A struct says once what its fields are called, as members.hpp has it or, where they are not
// called as its members,
//
//   template <class Self, class Visit>
//   static void fields(Self& self, Visit& visit) {
//     visit.required("device", self.device);  // a document without it is refused
//     visit("port", self.port);               // one without it has the default
//   }
//
// and JsonWriter and JsonReader visit it. A type that knows no documents has a function `fields` in
// its own namespace instead, for which Is says which type it is about.

using Json = nlohmann::ordered_json;

/// A sentence about a document that names the field by its path from the top: "the field
/// 'rows[0].size_bytes' is missing".
class FieldError : public std::runtime_error {
 public:
  explicit FieldError(std::string what, std::string path = "")
      : std::runtime_error((path.empty() ? "the document " : "the field '" + path + "' ") + what),
        what_(std::move(what)),
        path_(std::move(path)) {}

  /// The same, of a field in `outer`.
  [[nodiscard]] FieldError in(const std::string& outer) const {
    const bool dot = !path_.empty() && path_.front() != '[';
    return FieldError(what_, outer + (dot ? "." : "") + path_);
  }

  /// From the top of the document; empty if it is about all of it.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string what_;
  std::string path_;
};

/// `Self` is that type, to be written or to be read.
template <class Self, class Type>
concept Is = std::same_as<std::remove_const_t<Self>, Type>;

[[noreturn]] inline void wrong_type(const Json& json) {
  constexpr std::size_t kShown = 40;
  throw FieldError("is of the wrong type: " +
                   json.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, kShown));
}

/// What the "schema" of a document says; empty if it says nothing.
inline std::string schema_of(const Json& document) {
  const auto found = document.find("schema");
  return found != document.end() && found->is_string() ? found->get<std::string>() : "";
}

/// Throws FieldError, which names the document's own schema, if it is none of those.
inline void expect_schema(const Json& document, std::initializer_list<std::string> read) {
  const std::string schema = schema_of(document);
  std::string known;
  for (const std::string& one : read) {
    if (schema == one) return;
    known += (known.empty() ? "" : " or ") + one;
  }
  throw FieldError(
      (schema.empty() ? "is missing" : "is '" + schema + "'") + "; this railgauge reads " + known,
      "schema");
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

  /// A reader refuses a field that the struct does not have: a document that people write, in which
  /// a misspelt one would be lost.
  void strict() {}
  /// Which document it is.
  void schema(const char* name) { object_["schema"] = name; }

  /// From here on an empty text is null: it is not known.
  void empty_is_null() { empty_is_null_ = true; }

  template <class T>
  void operator()(const char* name, const T& value) {
    object_[name] = encode(value);
    if constexpr (std::same_as<T, std::string>) {
      if (empty_is_null_ && value.empty()) object_[name] = nullptr;
    }
  }
  template <class T>
  void required(const char* name, const T& value) {
    (*this)(name, value);
  }
  /// One that says something. `wanted`: "give a reason".
  void said(const char* name, const std::string& text, const char* /*wanted*/) {
    object_[name] = text;
  }
  /// Left out if it is empty.
  template <class T>
  void if_any(const char* name, const T& value) {
    if constexpr (requires { value.has_value(); }) {
      if (value) (*this)(name, *value);
    } else if constexpr (requires { value.given(); }) {
      if (value.given()) (*this)(name, value);
    } else if (!value.empty()) {
      (*this)(name, value);
    }
  }
  /// What follows from other fields: it is written, and not read.
  template <class T>
  void computed(const char* name, const T& value) {
    (*this)(name, value);
  }
  /// A number above zero, if it is known.
  template <class T>
  void positive(const char* name, const T& value) {
    (*this)(name, value);
  }
  /// A number from `least` to `most`; left out if it is empty.
  template <class T>
  void within(const char* name, const T& value, double /*least*/, double /*most*/) {
    (*this)(name, value);
  }
  template <class T>
  void within(const char* name, const std::optional<T>& value, double /*least*/, double /*most*/) {
    if_any(name, value);
  }
  /// Numbers of other fields that nothing measures below zero.
  void not_below_zero(std::initializer_list<const char*> /*names*/) {}

 private:
  Json& object_;
  bool empty_is_null_ = false;
};

/// Takes fields from an object. What is missing or null stays as it is.
class JsonReader {
 public:
  explicit JsonReader(const Json& object) : object_(object) {
    if (!object.is_object()) wrong_type(object);
  }

  /// From here on it remembers what it is asked for, to refuse_others() afterwards.
  void strict() { strict_ = true; }
  void refuse_others() const {
    if (!strict_) return;
    for (const auto& [name, value] : object_.items()) {
      if (!known_.contains(name)) throw FieldError("is unknown", name);
    }
  }

  void empty_is_null() {}
  void schema(const char* name) {
    expect_schema(object_, {name});
    known_.insert("schema");
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
  void said(const char* name, std::string& text, const char* wanted) {
    required(name, text);
    if (text.empty()) throw FieldError("is empty: " + std::string(wanted), name);
  }
  template <class T>
  void if_any(const char* name, T& value) {
    (*this)(name, value);
  }
  template <class T>
  void computed(const char* name, const T& /*value*/) {
    static_cast<void>(find(name));
  }
  template <class T>
  void positive(const char* name, T& value) {
    (*this)(name, value);
    const Json* const found = find(name);
    if (found == nullptr || found->get<double>() > 0) return;
    throw FieldError("is " + found->dump() + ": it has to be above zero", name);
  }
  template <class T>
  void within(const char* name, T& value, double least, double most) {
    (*this)(name, value);
    const Json* const found = find(name);
    if (found == nullptr) return;
    const auto number = found->get<double>();
    if (number >= least && number <= most) return;
    const auto whole = [](double bound) { return std::to_string(std::llround(bound)); };
    throw FieldError(
        "is " + found->dump() + ": it has to be from " + whole(least) + " to " + whole(most), name);
  }
  void not_below_zero(std::initializer_list<const char*> names) {
    for (const char* const name : names) {
      const Json* const found = find(name);
      if (found != nullptr && found->get<double>() < 0)
        throw FieldError("is " + found->dump() + ": nothing measures less than zero", name);
    }
  }

 private:
  [[nodiscard]] const Json* find(const char* name) {
    if (strict_) known_.insert(name);
    const auto found = object_.find(name);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }

  const Json& object_;
  bool strict_ = false;
  std::set<std::string> known_{};
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

/// Reads a struct by its fields.
template <class T>
void decode_fields(const Json& json, T& value) {
  JsonReader reader(json);
  visit_fields(value, reader);
  reader.refuse_others();
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
  static void decode(const Json& json, T& value) { decode_fields(json, value); }
};

/// What has no type yet.
template <>
struct Codec<Json> {
  static Json encode(const Json& value) { return value; }
  static void decode(const Json& json, Json& value) { value = json; }
};

/// What JSON has itself.
template <class T>
requires std::same_as<T, std::string> || std::is_arithmetic_v<T>
struct Codec<T> {
  static Json encode(const T& value) { return value; }
  static void decode(const Json& json, T& value) {
    if (!is_one(json)) wrong_type(json);
    value = json.get<T>();
  }

 private:
  static bool is_one(const Json& json) {
    if constexpr (std::same_as<T, std::string>) {
      return json.is_string();
    } else if constexpr (std::same_as<T, bool>) {
      return json.is_boolean();
    } else if constexpr (std::floating_point<T>) {
      return json.is_number();
    } else {
      return json.is_number_unsigned()
                 ? std::in_range<T>(json.get<std::uint64_t>())
                 : json.is_number_integer() && std::in_range<T>(json.get<std::int64_t>());
    }
  }
};

/// An enumeration is written as its words: `word` of its namespace has one for each of its values,
/// which count from 0, and none beyond.
template <class E>
requires std::is_enum_v<E>
struct Codec<E> {
  static Json encode(E value) { return word(value); }
  static void decode(const Json& json, E& value) {
    std::string found;
    json::decode(json, found);
    if (found.empty()) return;
    for (int number = 0; !word(static_cast<E>(number)).empty(); ++number) {
      value = static_cast<E>(number);
      if (word(value) == found) return;
    }
    throw FieldError("cannot be '" + found + "'");
  }
};

template <class T>
struct Codec<std::optional<T>> {
  static Json encode(const std::optional<T>& value) {
    return value ? json::encode(*value) : Json(nullptr);
  }
  static void decode(const Json& json, std::optional<T>& value) {
    if (json.is_null()) return value.reset();
    json::decode(json, value.emplace());
  }
};

template <class T>
struct Codec<std::vector<T>> {
  static Json encode(const std::vector<T>& values) {
    Json list = Json::array();
    for (const T& value : values) list.push_back(json::encode(value));
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
    for (const auto& [name, value] : values) object[name] = json::encode(value);
    return object;
  }
  static void decode(const Json& json, std::map<std::string, T>& values) {
    if (!json.is_object()) wrong_type(json);
    for (const auto& [name, value] : json.items()) decode_in(name, value, values[name]);
  }
};

}  // namespace railgauge::json
