#include "doctor/judging.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "finding/words.hpp"

namespace railgauge::doctor {

Answer passed(std::string observed) {
  return {.observed = std::move(observed)};
}

Answer warned(std::string observed, std::string expected, std::string remark) {
  return {Verdict::warn, std::move(observed), std::move(expected), std::move(remark)};
}

Answer failed(std::string observed, std::string expected, std::string remark) {
  return {Verdict::fail, std::move(observed), std::move(expected), std::move(remark)};
}

Answer not_understood(const std::string& text) {
  return {.verdict = Verdict::unknown, .remark = "not understood: '" + text + "'"};
}

Answer not_applicable(std::string why) {
  return {.verdict = Verdict::skip, .remark = std::move(why)};
}

Answer is_word(const Inputs& in, std::string_view text) {
  const std::string& value = in.values.front();
  return value == text ? passed(value) : warned(value, std::string(text));
}

std::optional<int> mapped(const std::string& pairs, int first) {
  std::istringstream words(pairs);
  const std::string wanted = std::to_string(first) + ":";
  for (std::string word; words >> word;) {
    if (!word.starts_with(wanted)) continue;
    return whole_in(word.substr(wanted.size()));
  }
  return std::nullopt;
}

std::vector<int> priorities_in(const std::string& list) {
  std::vector<int> found;
  std::istringstream words(list);
  for (int priority = 0; words >> priority;) found.push_back(priority);
  return found;
}

std::string bytes_text(double bytes) {
  constexpr double kStep = 1024;
  constexpr std::array kUnits{"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= kStep && unit + 1 < kUnits.size(); ++unit) bytes /= kStep;
  return finding::number(bytes, kUnits.at(unit));
}

std::string after_colon(const std::string& text) {
  const std::size_t colon = text.find(": ");
  return colon == std::string::npos ? text : text.substr(colon + 2);
}

std::size_t neighbours_in_subnet(const Subject& subject) {
  const auto& addresses = subject.facts->recording.addresses;
  const auto own = std::ranges::find_if(addresses, [&](const topology::NetAddress& one) {
    return one.netdev == subject.netdev && topology::is_ipv4(one.address);
  });
  if (own == addresses.end()) return 0;
  const auto network = topology::network_of(own->address, own->prefix_length);
  return static_cast<std::size_t>(
      std::ranges::count_if(addresses, [&](const topology::NetAddress& one) {
        return one.netdev != own->netdev && topology::is_ipv4(one.address) &&
               topology::network_of(one.address, own->prefix_length) == network;
      }));
}

}  // namespace railgauge::doctor
