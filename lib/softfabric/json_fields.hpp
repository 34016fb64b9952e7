#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace railgauge::softfabric {

/// Whether it is an integer, and not negative.
bool is_whole(const nlohmann::json& value);

/// The fields of one JSON object, read with messages that say where: "links[3].delay_us: …".
class JsonFields {
 public:
  using Json = nlohmann::json;

  /// Fields that are not `known` are refused. `place` is "" for the document. The object must
  /// outlive this.
  JsonFields(const Json& object, std::string place, std::initializer_list<const char*> known);

  /// Says what is wrong with a field.
  [[noreturn]] void refuse(const std::string& field, const std::string& why) const;

  /// "links[3].a".
  [[nodiscard]] std::string place_of(const std::string& field) const;

  [[nodiscard]] std::string text(const char* field) const;  ///< has to be there
  [[nodiscard]] std::string text(const char* field, const std::string& otherwise) const;
  [[nodiscard]] bool flag(const char* field, bool otherwise) const;
  /// Between these bounds, inclusively.
  [[nodiscard]] double number(const char* field, double otherwise, double least, double most) const;
  [[nodiscard]] std::optional<std::uint64_t> whole(const char* field, std::uint64_t most) const;

  /// Calls `read(element, place)` for each element of a list; none if it is not there.
  template <class Read>
  void each(const char* field, const Read& read) const {
    const Json* const list = find(field);
    if (list == nullptr) return;
    if (!list->is_array()) refuse(field, "must be a list");
    for (std::size_t at = 0; at < list->size(); ++at) {
      read((*list)[at], place_of(field) + "[" + std::to_string(at) + "]");
    }
  }

  /// The field, or null.
  [[nodiscard]] const Json* find(const char* field) const;

 private:
  const Json* object_;
  std::string place_;
};

}  // namespace railgauge::softfabric
