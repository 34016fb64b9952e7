#include "validation/waivers.hpp"

#include <chrono>
#include <regex>
#include <stdexcept>

#include "json/codec.hpp"
#include "json/position.hpp"
#include "json/text.hpp"
#include "results/utc.hpp"

namespace railgauge::validation {
namespace {

bool is_day(const std::string& text) {
  static const std::regex kForm(R"((\d{4})-(\d\d)-(\d\d))");
  std::smatch parts;
  if (!std::regex_match(text, parts, kForm)) return false;
  const auto part = [&](std::size_t at) { return std::stoi(parts[at]); };
  return (std::chrono::year(part(1)) / part(2) / part(3)).ok();
}

void check(const Waivers& waivers) {
  for (std::size_t at = 0; at < waivers.waivers.size(); ++at) {
    if (const std::string& until = waivers.waivers[at].until; !is_day(until))
      throw json::FieldError("is '" + until + "': give a day, such as 2026-12-31",
                             "waivers[" + std::to_string(at) + "].until");
  }
}

}  // namespace

Waivers waivers_in(const std::string& text, const std::string& file) try {
  Waivers waivers;
  json::decode(json::json_of_text(text), waivers);
  check(waivers);
  return waivers;
} catch (const json::FieldError& error) {
  const auto line = json::line_of(text, error.path());
  throw std::invalid_argument("waivers " + file + (line ? ":" + std::to_string(*line) : "") + ": " +
                              error.what());
} catch (const std::runtime_error& error) {
  throw std::invalid_argument("waivers " + file + ": " + error.what());
}

std::string today() {
  return results::utc(std::chrono::system_clock::now()).substr(0, sizeof "2026-12-31" - 1);
}

bool has_expired(const Waiver& waiver, const std::string& today) {
  return waiver.until < today;
}

finding::Waiver in_force(const Waiver& waiver) {
  return {.finding = waiver.finding, .reason = waiver.reason + " (until " + waiver.until + ")"};
}

std::vector<finding::Waiver> in_force(const Waivers& waivers, const std::string& today) {
  std::vector<finding::Waiver> found;
  for (const Waiver& one : waivers.waivers) {
    if (!has_expired(one, today)) found.push_back(in_force(one));
  }
  return found;
}

}  // namespace railgauge::validation
