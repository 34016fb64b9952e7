#pragma once

#include <cstdint>
#include <string>

namespace railgauge::metrics {

/// Where metrics go: into a file, or to whoever asks by HTTP.
struct Target {
  std::string file{};     ///< empty: HTTP
  std::string address{};  ///< to listen on: IPv4, or IPv6 without brackets
  std::uint16_t port = 0;

  [[nodiscard]] bool is_http() const { return file.empty(); }
};

/// "FILE", ":PORT" (of 127.0.0.1) or "ADDRESS:PORT"; an IPv6 address has brackets, and 0 is any
/// port that is free. A file whose name looks like an address can be written "./NAME". Throws
/// std::invalid_argument, which says what is expected.
[[nodiscard]] Target target_of(const std::string& word);

/// The same in words, as target_of() takes it.
[[nodiscard]] std::string word(const Target& target);

}  // namespace railgauge::metrics
