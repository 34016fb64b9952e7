#include "softfabric/json_fields.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace railgauge::softfabric {
namespace {

std::string plain(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

}  // namespace

bool is_whole(const nlohmann::json& value) {
  if (value.is_number_unsigned()) return true;
  return value.is_number_integer() && value.get<std::int64_t>() >= 0;
}

JsonFields::JsonFields(const Json& object, std::string place,
                       std::initializer_list<const char*> known)
    : object_(&object), place_(std::move(place)) {
  if (!object.is_object()) {
    throw std::runtime_error((place_.empty() ? "the document" : place_) + ": must be an object");
  }
  for (const auto& [name, value] : object.items()) {
    const std::string_view field = name;
    if (std::ranges::none_of(known, [&](const char* one) { return field == one; })) {
      refuse(name, "there is no such field");
    }
  }
}

void JsonFields::refuse(const std::string& field, const std::string& why) const {
  throw std::runtime_error(place_of(field) + ": " + why);
}

std::string JsonFields::place_of(const std::string& field) const {
  return place_.empty() ? field : place_ + "." + field;
}

const JsonFields::Json* JsonFields::find(const char* field) const {
  const auto found = object_->find(field);
  return found == object_->end() ? nullptr : &*found;
}

std::string JsonFields::text(const char* field) const {
  const Json* const value = find(field);
  if (value == nullptr) refuse(field, "is missing");
  if (!value->is_string()) refuse(field, "must be text");
  return value->get<std::string>();
}

std::string JsonFields::text(const char* field, const std::string& otherwise) const {
  return find(field) == nullptr ? otherwise : text(field);
}

bool JsonFields::flag(const char* field, bool otherwise) const {
  const Json* const value = find(field);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) refuse(field, "must be true or false");
  return value->get<bool>();
}

double JsonFields::number(const char* field, double otherwise, double least, double most) const {
  const Json* const value = find(field);
  if (value == nullptr) return otherwise;
  if (!value->is_number()) refuse(field, "must be a number");
  const auto number = value->get<double>();
  if (!(number >= least && number <= most)) {
    refuse(field, "must be from " + plain(least) + " to " + plain(most) + ", not " + plain(number));
  }
  return number;
}

std::optional<std::uint64_t> JsonFields::whole(const char* field, std::uint64_t most) const {
  const Json* const value = find(field);
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (!is_whole(*value) || value->get<std::uint64_t>() > most) {
    refuse(field, "must be a whole number from 0 to " + std::to_string(most));
  }
  return value->get<std::uint64_t>();
}

}  // namespace railgauge::softfabric
