#include <algorithm>

#include "finding/words.hpp"
#include "results/document.hpp"
#include "results/document_codec.hpp"

namespace railgauge::results {
namespace {

/// As RFC 4180 has it: quoted if it would be taken for several.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string safe;
  for (const char character : text) safe.append(character == '"' ? 2 : 1, character);
  return '"' + safe + '"';
}

/// Makes columns of the fields of a row, and of the structs in it. Lists of more than names have
/// none, nor have fields that are not in every row, or follow from others.
class RowColumns {
 public:
  template <class T>
  void operator()(const char* name, const T& value) {
    path_.emplace_back(name);
    add(value);
    path_.pop_back();
  }
  template <class T>
  void required(const char* name, const T& value) {
    (*this)(name, value);
  }
  template <class T>
  void if_any(const char* /*name*/, const T& /*value*/) {}
  template <class T>
  void computed(const char* /*name*/, const T& /*value*/) {}
  void not_below_zero(std::initializer_list<const char*> /*names*/) {}

  [[nodiscard]] std::string names() const {
    std::vector<std::string> names;
    for (const Path& path : paths_) names.push_back(short_name(path));
    return finding::joined(names, ",");
  }
  [[nodiscard]] std::string texts() const { return finding::joined(texts_, ","); }

 private:
  using Path = std::vector<std::string>;  // of fields, the outermost first

  template <class T>
  void add(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      add(std::string(word(value)));
    } else if constexpr (std::is_class_v<T>) {
      json::visit_fields(value, *this);
    } else {
      add(encode(value).dump());
    }
  }
  void add(const std::string& text) {
    paths_.push_back(path_);
    texts_.push_back(quoted(text));
  }
  void add(std::chrono::system_clock::time_point time) { add(utc(time)); }
  template <class T>
  void add(const std::optional<T>& value) {
    const std::size_t before = texts_.size();
    add(value.value_or(T{}));
    if (!value) std::ranges::fill(texts_.begin() + static_cast<int>(before), texts_.end(), "");
  }
  void add(const std::optional<Measurement>& /*measured*/) {}  // each has a line of its own
  void add(const std::vector<unsigned>& rails) { add(joined(rails)); }
  void add(const std::vector<std::string>& names) { add(finding::joined(names, ">")); }
  void add(const std::vector<PairPath>& paths) { add(path_text(paths)); }
  template <class T>
  void add(const std::vector<T>& /*list*/) {}
  template <class T>
  void add(const std::map<std::string, T>& /*values*/) {}

  /// With as many of the structs that it is in as tell it from the others: "p50_us", "from_host".
  [[nodiscard]] std::string short_name(const Path& path) const {
    std::ptrdiff_t length = 1;
    const auto alike = [&](const Path& other) {
      return std::ssize(other) >= length &&
             std::equal(path.end() - length, path.end(), other.end() - length);
    };
    while (length < std::ssize(path) && std::ranges::count_if(paths_, alike) > 1) ++length;
    return finding::joined(Path(path.end() - length, path.end()), "_");
  }

  Path path_;
  std::vector<Path> paths_;
  std::vector<std::string> texts_;
};

template <class Row>
RowColumns columns_of(const Row& row) {
  RowColumns columns;
  json::visit_fields(row, columns);
  return columns;
}

/// Of a collective in one buffer mode.
RowColumns columns_of(const Document& document, const CollectiveRow& row, BufferMode mode,
                      const Measurement& measurement) {
  RowColumns columns;
  const auto* const body = std::get_if<CollectiveBody>(&document.body);
  columns("collective", body == nullptr ? "" : body->collective);
  columns("ranks", document.ranks.size());
  columns("hosts", document.hosts.size());
  json::visit_fields(row, columns);
  columns("buffers", mode);
  json::visit_fields(measurement, columns);
  return columns;
}

template <class Row>
std::string header_of(const std::vector<Row>& /*rows*/) {
  return columns_of(Row{}).names();
}

std::string header_of(const std::vector<CollectiveRow>& /*rows*/) {
  return columns_of({}, {}, {}, {}).names();
}

template <class Row>
std::vector<std::string> lines_of(const Document& /*document*/, const Row& row) {
  return {columns_of(row).texts()};
}

std::vector<std::string> lines_of(const Document& document, const CollectiveRow& row) {
  std::vector<std::string> lines;
  for (const auto& [mode, measurement] : measurements_of(row))
    lines.push_back(columns_of(document, row, mode, measurement).texts());
  return lines;
}

}  // namespace

std::string csv_header(const Body& body) {
  return std::visit([](const auto& held) { return header_of(held.rows); }, body);
}

std::vector<std::string> csv_lines(const Document& document, std::size_t row) {
  return std::visit([&](const auto& held) { return lines_of(document, held.rows.at(row)); },
                    document.body);
}

}  // namespace railgauge::results
