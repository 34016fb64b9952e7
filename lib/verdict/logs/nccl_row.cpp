#include "verdict/logs/nccl_row.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "verdict/logs/log.hpp"

namespace railgauge::verdict {
namespace {

using Words = std::span<const std::string_view>;

struct Type {
  std::string_view name;
  std::uint64_t bytes;
};

// Of nccl-tests and rccl-tests; char and int before 2.0.
constexpr std::array kTypes{
    Type{"int8", 1},   Type{"uint8", 1},  Type{"char", 1},     Type{"int32", 4},
    Type{"uint32", 4}, Type{"int", 4},    Type{"int64", 8},    Type{"uint64", 8},
    Type{"half", 2},   Type{"float", 4},  Type{"double", 8},   Type{"bfloat16", 2},
    Type{"f8e4m3", 1}, Type{"f8e5m2", 1}, Type{"fp8_e4m3", 1}, Type{"fp8_e5m2", 1}};

constexpr std::size_t kColumns = 4;  // time, algbw, busbw, #wrong
constexpr std::array kWidths{kColumns, kColumns + 1, kColumns + 4, kColumns + 5};

const Type* type_called(std::string_view word) {
  const auto* const found = std::ranges::find(kTypes, word, &Type::name);
  return found == kTypes.end() ? nullptr : found;
}

/// Where size, count and type stand; behind all words if nowhere. Noise may stand before them.
std::size_t beginning(Words words) {
  for (std::size_t at = 0; at + 2 < words.size(); ++at) {
    if (whole_number(words[at]) && whole_number(words[at + 1]) && type_called(words[at + 2])) {
      return at;
    }
  }
  return words.size();
}

/// What is left of a row that was torn: numbers and nothing else.
bool is_torn(Words words) {
  if (words.size() < 3) return false;
  const auto is_number = [](std::string_view word) { return word == "N/A" || number(word); };
  return (whole_number(words[0]) && whole_number(words[1])) ||
         std::ranges::all_of(words, is_number);
}

bool is_op(std::string_view word) {
  return word != "N/A" && !number(word) && word.find_first_of("0123456789:[]=") == word.npos;
}

/// Two decimals, or three digits if it is larger.
bool is_rounding_of(double printed, double computed) {
  constexpr double kLastDigit = 0.011;
  constexpr double kDigits = 0.012;
  return std::abs(printed - computed) <= kLastDigit + kDigits * computed;
}

class BuffersReader {
 public:
  BuffersReader(std::uint64_t size, NcclRow& row) : size_(size), row_(row) {}

  void read(Words columns, const Point& common) {
    if (std::ranges::all_of(columns.first(3), [](auto word) { return word == "N/A"; })) return;
    Point point = common;
    point.time_us = number(columns[0]);
    point.algbw_gigabytes_per_second = number(columns[1]);
    point.busbw_gigabytes_per_second = number(columns[2]);
    const std::string why = wrong_with(point, columns);
    if (why.empty()) {
      row_.points.push_back(point);
    } else {
      row_.complaints.push_back(std::string(word(point.buffers)) + ": " + why);
    }
  }

 private:
  [[nodiscard]] std::string wrong_with(const Point& point, Words columns) const {
    if (!point.time_us || !point.algbw_gigabytes_per_second || !point.busbw_gigabytes_per_second) {
      return "time, algbw or busbw is no number";
    }
    const auto wrong = number(columns[3]);
    if (!wrong && columns[3] != "N/A") return "#wrong is no number";
    if (wrong.value_or(0) >= 1) return std::string(columns[3]) + " elements are wrong";
    const double time = *point.time_us;
    if (time > 0 && !is_rounding_of(*point.algbw_gigabytes_per_second,
                                    static_cast<double>(size_) / time / 1e3)) {
      return "algbw is not size over time";
    }
    return "";
  }

  std::uint64_t size_;
  NcclRow& row_;
};

/// The numbers of a row behind type and redop: perhaps a root, one buffer mode or two, a time
/// stamp.
void read_numbers(Words numbers, Point common, NcclRow& row) {
  if (numbers.size() > 2 && numbers.back().find(':') != std::string_view::npos) {
    numbers = numbers.first(numbers.size() - 2);
  }
  const bool odd = numbers.size() % 2 == 1;  // both modes have as many
  if (odd && numbers[0].find('.') == std::string_view::npos) numbers = numbers.subspan(1);
  BuffersReader reader(common.size_bytes.value_or(0), row);
  if (numbers.size() == kColumns) {
    reader.read(numbers, common);
    return;
  }
  if (numbers.size() % 2 == 1 || std::ranges::find(kWidths, numbers.size() / 2) == kWidths.end()) {
    row.complaints.push_back("a row of " + std::to_string(numbers.size()) +
                             " figures; there should be 8, 16 with -I, or 2 more with #bitdiff");
    return;
  }
  common.buffers = BufferMode::out_of_place;
  reader.read(numbers, common);
  common.buffers = BufferMode::in_place;
  reader.read(numbers.subspan(numbers.size() / 2), common);
}

}  // namespace

std::optional<NcclRow> nccl_row(std::string_view line) {
  const std::vector<std::string_view> all = words_of(line);
  NcclRow row;
  Words words = Words(all).subspan(beginning(all));
  if (words.empty()) {
    if (!is_torn(all)) return std::nullopt;
    row.complaints.emplace_back("looks like a part of a row");
    return row;
  }
  const Type& type = *type_called(words[2]);
  Point common;
  common.size_bytes = whole_number(words[0]);
  common.type = type.name;
  const std::uint64_t bytes = whole_number(words[1]).value_or(0) * type.bytes;
  if (bytes != 0 && *common.size_bytes % bytes != 0) {
    row.complaints.emplace_back("size is no multiple of count elements");
    return row;
  }
  words = words.subspan(3);
  if (!words.empty() && is_op(words[0])) {
    common.op = words[0];
    words = words.subspan(1);
  }
  read_numbers(words, common, row);
  return row;
}

}  // namespace railgauge::verdict
