#include <zlib.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "results/document_codec.hpp"
#include "soak/parts.hpp"
#include "soak/record.hpp"

namespace railgauge::soak {
namespace {

using results::Json;

constexpr const char* kSchema = "railgauge/soak/2";

template <class T>
constexpr const char* kName = nullptr;
template <>
constexpr const char* kName<Header> = "header";
template <>
constexpr const char* kName<Window> = "window";
template <>
constexpr const char* kName<finding::Finding> = "finding";
template <>
constexpr const char* kName<Gap> = "gap";
template <>
constexpr const char* kName<End> = "end";

template <class T>
Json encoded(const T& held) {
  Json json = {{"schema", kSchema}, {"line", kName<T>}};
  results::JsonWriter writer(json);
  T::fields(held, writer);
  return json;
}

template <class T>
bool decode_if(const Json& json, const std::string& name, std::optional<Line>& line) {
  if (name != kName<T>) return false;
  T held;
  results::decode(json, held);
  line = std::move(held);
  return true;
}

Line decoded(const Json& json) {
  if (!json.is_object() || json.value("schema", "") != kSchema) {
    throw std::runtime_error(std::string("its schema is not ") + kSchema);
  }
  const std::string name = json.value("line", "");
  std::optional<Line> line;
  if (decode_if<Header>(json, name, line) || decode_if<Window>(json, name, line) ||
      decode_if<finding::Finding>(json, name, line) || decode_if<Gap>(json, name, line) ||
      decode_if<End>(json, name, line)) {
    return std::move(*line);
  }
  throw std::runtime_error("it is no line of a soak: '" + name + "'");
}

/// Of a file, packed or not; empty if it cannot be read.
std::string first_bytes(const std::filesystem::path& path) {
  constexpr unsigned kSchemaEndsBefore = 200;
  std::string text(kSchemaEndsBefore, '\0');
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rbe"), gzclose);
  const int count = file ? gzread(file.get(), text.data(), kSchemaEndsBefore) : 0;
  text.resize(static_cast<std::size_t>(std::max(count, 0)));
  return text;
}

}  // namespace

std::string to_text(const Line& line) {
  return std::visit([](const auto& held) { return encoded(held); }, line)
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

Line from_text(const std::string& text) try {
  return decoded(Json::parse(text));
} catch (const Json::exception& error) {
  throw std::runtime_error(error.what());
}

bool is_record(const std::string& path) try {
  std::string begin = first_bytes(path);
  if (begin.empty()) {
    const auto parts = parts_of(path);
    if (!parts.empty()) begin = first_bytes(parts.back().path);
  }
  return begin.find('"' + std::string(kSchema) + '"') != std::string::npos;
} catch (const std::filesystem::filesystem_error&) {  // no such folder
  return false;
}

}  // namespace railgauge::soak
