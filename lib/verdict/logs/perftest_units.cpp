#include "verdict/logs/perftest_units.hpp"

#include <array>
#include <cmath>

namespace railgauge::verdict {
namespace {

struct Verb {
  std::string_view title;
  std::string_view program;
};

constexpr std::array kVerbs{Verb{"RDMA_Write", "ib_write"}, Verb{"RDMA_Read", "ib_read"},
                            Verb{"Send", "ib_send"}, Verb{"Atomic", "ib_atomic"}};

bool has_part(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

std::string perftest_program(std::string_view title) {
  const bool bandwidth = has_part(title, "BW Test") || title.ends_with("_BW");
  const bool latency = has_part(title, "Latency Test") || title.ends_with("_Lat");
  if (!bandwidth && !latency) return "";
  for (const Verb& verb : kVerbs) {
    if (!has_part(title, std::string(verb.title) + " ") &&
        !has_part(title, std::string(verb.title) + "_")) {
      continue;
    }
    return std::string(verb.program) + (bandwidth ? "_bw" : "_lat") +
           (has_part(title, "Bidirectional") ? "_bidirectional" : "");
  }
  return "";
}

bool is_rate(const Decimal& bandwidth, const Decimal& messages, std::uint64_t size_bytes,
             double per_gigabyte) {
  constexpr double kSlack = 0.002;
  constexpr double kMillions = 1e6 / 1e9;  // of bytes as gigabytes
  const double each = static_cast<double>(size_bytes) * kMillions * per_gigabyte;
  const double doubt = bandwidth.last_digit + each * messages.last_digit;
  return std::abs(bandwidth.value - each * messages.value) <= doubt + kSlack * bandwidth.value;
}

}  // namespace railgauge::verdict
