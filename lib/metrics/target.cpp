#include "metrics/target.hpp"

#include <arpa/inet.h>

#include <charconv>
#include <stdexcept>
#include <string_view>

namespace railgauge::metrics {
namespace {

constexpr const char* kLocalhost = "127.0.0.1";

bool is_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

[[noreturn]] void expected() {
  throw std::invalid_argument(
      "expected FILE, :PORT or ADDRESS:PORT with an IP address, such as :9400, 0.0.0.0:9400 or "
      "[::]:9400");
}

std::uint16_t port_of(std::string_view word) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), port);
  if (error != std::errc{} || end != word.data() + word.size()) expected();
  return port;
}

bool is_address(const std::string& word) {
  in6_addr any{};
  return inet_pton(AF_INET, word.c_str(), &any) == 1 ||
         inet_pton(AF_INET6, word.c_str(), &any) == 1;
}

std::string address_of(std::string word) {
  if (word.empty() || word == "localhost") return kLocalhost;
  const bool bracketed = word.size() > 2 && word.front() == '[' && word.back() == ']';
  if (bracketed) word = word.substr(1, word.size() - 2);
  if (!is_address(word) || bracketed != (word.find(':') != std::string::npos)) expected();
  return word;
}

}  // namespace

Target target_of(const std::string& word) {
  const std::size_t colon = word.rfind(':');
  if (word.empty() || is_number(word)) expected();
  const bool is_path = word.find('/') != std::string::npos || colon == std::string::npos;
  if (is_path || !is_number(std::string_view(word).substr(colon + 1))) return {.file = word};
  return {.address = address_of(word.substr(0, colon)), .port = port_of(word.substr(colon + 1))};
}

std::string word(const Target& target) {
  if (!target.is_http()) return target.file;
  const bool is_ipv6 = target.address.find(':') != std::string::npos;
  return (is_ipv6 ? "[" + target.address + "]" : target.address) + ":" +
         std::to_string(target.port);
}

}  // namespace railgauge::metrics
