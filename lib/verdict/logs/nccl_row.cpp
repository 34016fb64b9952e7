#include "verdict/logs/nccl_row.hpp"

#include <algorithm>
#include <array>
#include <limits>
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

constexpr auto kFigures = std::to_array<std::string_view>({"time", "algbw", "busbw", "#wrong"});
constexpr std::size_t kColumns = kFigures.size();
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

/// The words of a line; of a row in Markdown without the bars between them.
std::vector<std::string_view> row_words(std::string_view line) {
  std::vector<std::string_view> all = words_of(line);
  std::vector<std::string_view> bare = all;
  std::erase(bare, "|");
  return beginning(bare) < bare.size() ? bare : all;
}

/// What is left of a row that was torn: numbers and nothing else, or a type among numbers.
bool is_torn(Words words) {
  if (words.empty() || words[0].starts_with('#')) return false;
  const auto is_number = [](std::string_view word) { return word == "N/A" || number(word); };
  const auto numbers = std::ranges::count_if(words, is_number);
  const auto others = static_cast<std::ptrdiff_t>(words.size()) - numbers;
  if (others == 0) return true;
  if (words.size() > 2 && whole_number(words[0]) && whole_number(words[1])) return true;
  constexpr std::ptrdiff_t kFew = 4;
  const bool typed = std::ranges::any_of(words, [](auto word) { return type_called(word); });
  return numbers >= kFew && (typed || (others <= 2 && is_number(words.back())));
}

bool is_op(std::string_view word) {
  return word != "N/A" && !number(word) && word.find_first_of("0123456789:[]=") == word.npos;
}

bool has_decimals(std::string_view word) {
  return word.find_first_of(".e") != std::string_view::npos;
}

/// Of times and bandwidths: until numbers are as large as this there is room for decimals.
constexpr double kRoomForDecimals = 1000;

std::optional<Decimal> with_decimals(std::string_view word) {
  const auto value = decimal(word);
  if (!value || (!has_decimals(word) && value->value < kRoomForDecimals)) return std::nullopt;
  return value;
}

/// A count, or before 2.12 an error's magnitude.
bool is_wrong(std::string_view word) {
  if (word == "N/A" || whole_number(word)) return true;
  return number(word) && word.find('e') != std::string_view::npos;
}

constexpr double kSlack = 0.002;    // what printing both rounded may lose besides the last digits
constexpr double kRounding = 0.51;  // of a last digit

/// Between which bounds one printed number over another lies; high is infinite where the divisor
/// may be zero.
Bounds quotient(const Decimal& over, const Decimal& under) {
  const double least = under.value - kRounding * under.last_digit;
  return {(1 - kSlack) * (over.value - kRounding * over.last_digit) /
              (under.value + kRounding * under.last_digit),
          least > 0 ? (1 + kSlack) * (over.value + kRounding * over.last_digit) / least
                    : std::numeric_limits<double>::infinity()};
}

bool overlap(const Bounds& one, const Bounds& other) {
  return one.low <= other.high && other.low <= one.high;
}

class BuffersReader {
 public:
  BuffersReader(std::uint64_t size, NcclRow& row) : size_(size), row_(row) {}

  void read(Words columns, const Point& common) {
    if (std::ranges::all_of(columns.first(3), [](auto word) { return word == "N/A"; })) return;
    const std::string why = add(columns, common);
    if (!why.empty()) row_.complaints.push_back(std::string(word(common.buffers)) + ": " + why);
  }

 private:
  /// Why the point was not added.
  std::string add(Words columns, Point point) {
    const auto time = with_decimals(columns[0]);
    const auto algbw = with_decimals(columns[1]);
    const auto busbw = with_decimals(columns[2]);
    for (std::size_t at = 0; at < kColumns; ++at) {
      if (!is_impossible(columns[at])) continue;
      row_.wrong_data = true;
      return std::string(kFigures[at]) + " is " + std::string(columns[at]);
    }
    if (!time || !algbw || !busbw) return "time, algbw or busbw is no number as they are printed";
    row_.wrong_data = row_.wrong_data || number(columns[3]).value_or(0) >= 1;
    if (!is_wrong(columns[3])) return "#wrong is no number";
    if (number(columns[3]).value_or(0) >= 1) {
      return std::string(columns[3]) + " elements are wrong";
    }
    if (time->value <= 0) return "time is not above zero";
    if (!is_rate(*algbw, *time)) return "algbw is not size over time";
    point.time_us = time->value;
    point.algbw_gigabytes_per_second = algbw->value;
    point.busbw_gigabytes_per_second = busbw->value;
    row_.points.push_back(point);
    row_.bus_factors.push_back(quotient(*busbw, *algbw));
    return "";
  }

  [[nodiscard]] bool is_rate(const Decimal& algbw, const Decimal& time) const {
    const Bounds bounds = quotient({static_cast<double>(size_) / 1e3, 0}, time);
    return bounds.low <= algbw.value + kRounding * algbw.last_digit &&
           algbw.value - kRounding * algbw.last_digit <= bounds.high;
  }

  std::uint64_t size_;
  NcclRow& row_;
};

bool is_root(std::string_view word) {
  const auto root = small_number(word);
  return root && *root >= -1;
}

/// The numbers of a row behind type and redop: perhaps a root, one buffer mode or two, a time
/// stamp.
void read_numbers(Words numbers, Point common, NcclRow& row) {
  if (numbers.size() > 2 && numbers.back().find(':') != std::string_view::npos) {
    numbers = numbers.first(numbers.size() - 2);
  }
  const bool odd = numbers.size() % 2 == 1;  // both modes have as many
  if (odd && is_root(numbers[0])) numbers = numbers.subspan(1);
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
  if (row.bus_factors.size() == 2 && !overlap(row.bus_factors[0], row.bus_factors[1])) {
    row.points.clear();
    row.bus_factors.clear();
    row.complaints.emplace_back("busbw over algbw is not the same in place and out of place");
  }
}

/// What of a row stands before it: prefixes of launchers and noise, but no further number, since
/// that may be the size.
bool is_noise(Words before, std::string_view size) {
  return before.empty() || !number(before.back()) || before.back() == size;
}

}  // namespace

std::optional<NcclRow> nccl_row(std::string_view line) {
  const std::vector<std::string_view> all = row_words(line);
  NcclRow row;
  Words words = Words(all).subspan(beginning(all));
  if (words.empty()) {
    if (!is_torn(all)) return std::nullopt;
    row.complaints.emplace_back("looks like a part of a row");
    return row;
  }
  if (!is_noise(Words(all).first(all.size() - words.size()), words[0])) {
    row.complaints.emplace_back("a number too many before size, count and type");
    return row;
  }
  const Type& type = *type_called(words[2]);
  Point common;
  common.size_bytes = whole_number(words[0]);
  common.type = type.name;
  const std::uint64_t bytes = whole_number(words[1]).value_or(0) * type.bytes;
  if (bytes == 0 ? *common.size_bytes != 0 : *common.size_bytes % bytes != 0) {
    row.complaints.emplace_back("size is no multiple of count elements");
    return row;
  }
  if (bytes == 0) return row;  // nothing was sent
  row.ranks_parts = *common.size_bytes / bytes;
  row.words = words.size();
  words = words.subspan(3);
  if (!words.empty() && is_op(words[0])) {
    common.op = words[0];
    row.has_op = true;
    words = words.subspan(1);
  }
  read_numbers(words, common, row);
  return row;
}

std::string NcclRowsAgree::check(const NcclRow& row) {
  if (row.points.empty()) return "";
  if (before_ && (row.words != before_->words || row.has_op != before_->has_op)) {
    return "not the columns of the rows before";
  }
  if (before_ && row.ranks_parts != before_->ranks_parts) {
    return "size over count is not what it is in the rows before";
  }
  std::optional<Bounds> factor = bus_factor_;
  for (const Bounds& one : row.bus_factors) {
    if (factor && !overlap(*factor, one)) return "busbw over algbw is not that of the rows before";
    factor =
        factor ? Bounds{std::max(factor->low, one.low), std::min(factor->high, one.high)} : one;
  }
  bus_factor_ = factor;
  before_ = row;
  return "";
}

}  // namespace railgauge::verdict
