#include "measure/sizes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <stdexcept>
#include <string>

namespace railgauge::measure {

double algbw_gigabytes_per_second(std::uint64_t bytes, double microseconds) {
  if (!(microseconds > 0)) {  // also refuses not-a-number
    throw std::invalid_argument("a bandwidth needs a time above zero, not " +
                                std::to_string(microseconds) + " us");
  }
  // bytes / (us * 1e-6 s) / 1e9
  return static_cast<double>(bytes) / microseconds * 1e-3;
}

double busbw_gigabytes_per_second(double algbw_gigabytes_per_second, double bus_factor) {
  return algbw_gigabytes_per_second * bus_factor;
}

namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();

struct Suffix {
  char letter;
  std::uint64_t bytes;
};
constexpr std::array kSuffixes{Suffix{'T', std::uint64_t{1} << 40U}, Suffix{'G', 1U << 30U},
                               Suffix{'M', 1U << 20U}, Suffix{'K', 1U << 10U}};

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw std::invalid_argument("'" + std::string(text) + "' is not a size: " + why);
}

/// "iB" or "B", as in KiB; nccl-tests reads KB as 1024, too.
void take_byte(std::string_view& number) {
  if (!number.ends_with('B')) return;
  number.remove_suffix(1);
  const bool of_unit =
      number.size() > 1 && number.ends_with('i') && number[number.size() - 2] > '9';
  if (of_unit) number.remove_suffix(1);
}

/// Takes the unit off the end of `number`; 1 if there is none.
std::uint64_t take_unit(std::string_view& number) {
  take_byte(number);
  if (number.empty()) return 1;
  const char last = number.back();
  for (const auto [letter, bytes] : kSuffixes) {
    if (last != letter && last != letter - 'A' + 'a') continue;
    number.remove_suffix(1);
    return bytes;
  }
  return 1;
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::uint64_t digits_to_number(std::string_view digits, std::string_view text) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (read.ec != std::errc{}) refuse(text, "it does not fit in 64 bits");
  return number;
}

/// 0.`digits` of a unit, in bytes: exact, which a double is not.
std::uint64_t fraction_of(std::uint64_t unit, std::string_view digits, std::string_view text) {
  constexpr std::size_t kMostDigits = 9;
  if (digits.size() > kMostDigits) refuse(text, "it has more than 9 digits after the point");
  std::uint64_t scale = 1;
  for (std::size_t i = 0; i < digits.size(); ++i) scale *= 10;
  const std::uint64_t parts = digits_to_number(digits, text);
  if (parts > kLargest / unit) refuse(text, "it has too many digits after the point");
  const std::uint64_t scaled = parts * unit;
  if (scaled % scale != 0) refuse(text, "it is not a whole number of bytes");
  return scaled / scale;
}

void refuse_if(bool wrong, const std::string& why) {
  if (wrong) throw std::invalid_argument(why);
}

void refuse_if_backwards(std::uint64_t begin, std::uint64_t end) {
  refuse_if(begin > end,
            "the sweep starts at " + format_size(begin) + ", above its end, " + format_size(end));
}

}  // namespace

std::uint64_t parse_size(std::string_view text) {
  std::string_view number = text;
  const std::uint64_t unit = take_unit(number);
  const std::size_t point = number.find('.');
  const std::string_view whole = number.substr(0, point);
  const std::string_view digits = point == number.npos ? "0" : number.substr(point + 1);
  if (!all_digits(whole) || !all_digits(digits)) {
    refuse(text, "write digits and K, M, G, T or nothing, as in 8, 1.5K, 4MiB");
  }
  const std::uint64_t units = digits_to_number(whole, text);
  const std::uint64_t fraction = fraction_of(unit, digits, text);
  if (units > (kLargest - fraction) / unit) refuse(text, "it does not fit in 64 bits");
  return units * unit + fraction;
}

std::string format_size(std::uint64_t bytes) {
  for (const auto [letter, unit] : kSuffixes) {
    if (bytes != 0 && bytes % unit == 0) return std::to_string(bytes / unit) + letter;
  }
  return std::to_string(bytes);
}

std::string folded_sizes(const std::set<std::uint64_t>& sizes,
                         const std::vector<std::uint64_t>& all) {
  std::string text;
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (!sizes.contains(all[at])) continue;
    std::size_t last = at;
    while (last + 1 < all.size() && sizes.contains(all[last + 1])) ++last;
    text += (text.empty() ? "" : ", ") + format_size(all[at]);
    if (last < at + 2) continue;  // two are no range
    text += "-" + format_size(all[last]);
    at = last;
  }
  return text;
}

std::vector<std::uint64_t> sweep(std::uint64_t begin, std::uint64_t end, std::uint64_t factor) {
  refuse_if(factor < 2, "the step factor must be 2 or more, not " + std::to_string(factor));
  refuse_if(begin == 0, "a sweep that multiplies cannot start at 0 bytes: it would never grow");
  refuse_if_backwards(begin, end);
  std::vector<std::uint64_t> sizes{begin};
  // The division keeps the next size from overflowing before it is compared.
  while (sizes.back() <= end / factor) sizes.push_back(sizes.back() * factor);
  return sizes;
}

std::vector<std::uint64_t> steps(std::uint64_t begin, std::uint64_t end, std::uint64_t step) {
  constexpr std::uint64_t kMost = 1'000'000;
  refuse_if(step == 0, "the step is 0 bytes: sizes would never grow");
  refuse_if_backwards(begin, end);
  refuse_if((end - begin) / step >= kMost,
            "from " + format_size(begin) + " to " + format_size(end) + " in steps of " +
                format_size(step) + " there are more than a million sizes; use a factor instead");
  std::vector<std::uint64_t> sizes{begin};
  while (end - sizes.back() >= step) sizes.push_back(sizes.back() + step);
  return sizes;
}

}  // namespace railgauge::measure
