#include <algorithm>
#include <array>

#include "verdict/logs/formats.hpp"
#include "verdict/logs/table.hpp"

namespace railgauge::verdict {
namespace {

/// "float32" and "DT_FLOAT32" are "float", as nccl-tests says.
std::string type_of_ucc(std::string name) {
  name = lower(name);
  if (name.starts_with("dt_")) name = name.substr(3);
  if (name == "float32") return "float";
  if (name == "float64") return "double";
  return name == "float16" ? "half" : name;
}

class UccReader final : public TableReader {
 public:
  using TableReader::TableReader;

 private:
  bool statement(std::string_view line) override {
    if (const auto name = after(line, "Collective:")) {
      begin_test(first_word(*name));
    } else if (const auto type = after(line, "Datatype:")) {
      common_.type = type_of_ucc(first_word(*type));
    } else if (const auto op = after(line, "Reduction:")) {
      common_.op = first_word(*op) == "N/A" ? "none" : lower(first_word(*op));
    } else if (const auto inplace = after(line, "Inplace:")) {
      const std::string word = first_word(*inplace);
      common_.buffers = word == "1"   ? BufferMode::in_place
                        : word == "0" ? BufferMode::out_of_place
                                      : BufferMode::unstated;
    } else {
      const std::string word = first_word(line);  // "small 100": iterations
      return word == "small" || word == "large";
    }
    return true;
  }

  void begin_test(const std::string& name) {
    const std::string collective = collective_called(name);
    begin({.collective = collective, .ranks = stated_.ranks, .library = "UCC"},
          collective.empty() ? "no collective that is read: " + name : "");
    constexpr std::array kWhole{"all_reduce", "broadcast", "reduce"};
    const bool whole = std::ranges::find(kWhole, collective) != kWhole.end();
    sizes_ = whole ? Sizes::whole : Sizes::unknown;
  }
};

bool is_ucc_name(std::string_view line) {
  return after(line, "Collective:").has_value();
}

bool is_ucc_head(std::string_view line) {
  return after(line, "Time, us").has_value();
}

bool is_ucc(std::string_view text) {
  return has_line<is_ucc_name>(text) && has_line<is_ucc_head>(text);
}

}  // namespace

const Format kUcc{"ucc", is_ucc, read_by<UccReader>};

}  // namespace railgauge::verdict
