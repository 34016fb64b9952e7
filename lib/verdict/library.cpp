#include "verdict/library.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "finding/words.hpp"
#include "json/fields.hpp"
#include "json/text.hpp"
#include "results/input_file.hpp"

namespace railgauge::verdict {
namespace {

using json::Json;

namespace fs = std::filesystem;

constexpr std::size_t kMostNames = 3;

/// How many letters have to be changed, put in or taken away until `part` stands somewhere in
/// `text` (Sellers 1980: the edit distance whose beginning and end in the text are free).
std::size_t distance(const std::string& part, const std::string& text) {
  std::vector<std::size_t> row(text.size() + 1, 0);
  for (std::size_t at = 0; at < part.size(); ++at) {
    std::size_t diagonal = std::exchange(row[0], at + 1);
    for (std::size_t column = 1; column < row.size(); ++column) {
      const std::size_t changed = diagonal + (part[at] == text[column - 1] ? 0 : 1);
      diagonal = row[column];
      row[column] = std::min({changed, diagonal + 1, row[column - 1] + 1});
    }
  }
  return *std::ranges::min_element(row);
}

/// A document of that kind in a file.
template <class Read>
auto read(const fs::path& file, const std::string& kind, const Read& read_json_of) {
  const Json json = read_json(file);
  try {
    return read_json_of(json);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(file.string() + " is no " + kind + ": " + error.what());
  }
}

}  // namespace

Json read_json(const fs::path& file) {
  const std::string text = results::read_input(file);
  try {
    return json::json_of_text(text);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("cannot read " + results::name_of_input(file) + ": " + error.what());
  }
}

std::vector<std::string> Library::names(const char* kind) const {
  const fs::path folder = directory_ / kind;
  if (!fs::is_directory(folder)) {
    throw std::runtime_error("railgauge's own data are missing: there is no " + folder.string());
  }
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") found.push_back(entry.path().stem());
  }
  std::ranges::sort(found);
  return found;
}

fs::path Library::file(const char* kind, const std::string& name) const {
  fs::path shipped = directory_ / kind / (name + ".json");
  if (name.find('/') == std::string::npos && fs::exists(shipped)) return shipped;
  if (fs::exists(name)) return name;
  const std::vector<std::string> meant = nearest(names(kind), name);
  throw std::invalid_argument(
      "there is neither a " + std::string(kind) + " nor a file '" + name + "'" +
      (meant.empty() ? ": railgauge comes with " + finding::joined(names(kind))
                     : "; did you mean " + finding::joined(meant) + "?"));
}

Reference Library::reference(const std::string& name_or_file) const {
  Reference found = read(file("reference", name_or_file), "reference", reference_of);
  refuse_inconsistent(found.runs, name_or_file);
  return found;
}

Policy Library::policy(const std::string& name_or_file) const {
  return read(file("policy", name_or_file), "policy", policy_of);
}

std::vector<std::string> nearest(const std::vector<std::string>& names, const std::string& wanted) {
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& name : names) {
    const std::size_t wrong = distance(wanted, name);
    if (3 * wrong <= wanted.size() + 1) found.emplace_back(wrong, name);
  }
  std::ranges::sort(found);
  std::vector<std::string> best;
  for (const auto& [wrong, name] : found) {
    const bool worse_than_whole = wrong > 0 && found.front().first == 0;
    if (best.size() < kMostNames && !worse_than_whole) best.push_back(name);
  }
  return best;
}

}  // namespace railgauge::verdict
