#include "verdict/logs/formats.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include "schedule/collective.hpp"
#include "verdict/logs/log.hpp"

namespace railgauge::verdict {
namespace {

constexpr double kMegabytesPerGigabyte = 1e3;

/// "# OSU MPI Allreduce Latency Test v7.4": what stands between MPI and Test, without "Latency".
std::optional<std::string> title_of(std::string_view line) {
  const auto title = after(line, "# OSU MPI");
  if (!title) return std::nullopt;
  std::string name;
  for (const std::string_view word : words_of(*title)) {
    if (word == "Test" || word == "Latency") break;
    name += (name.empty() ? "" : " ") + std::string(word);
  }
  return name;
}

std::string program_of(const std::string& title) {
  if (title == "Bandwidth") return "osu_bw";
  if (title == "Bi-Directional Bandwidth") return "osu_bibw";
  return title.empty() ? "osu_latency" : collective_called(title);
}

std::string type_of_mpi(std::string_view mpi) {
  static const std::map<std::string_view, std::string> kTypesOfMpi{
      {"MPI_CHAR", "int8"}, {"MPI_INT", "int32"}, {"MPI_FLOAT", "float"}};
  const auto found = kTypesOfMpi.find(mpi.substr(0, mpi.find('.')));
  return found == kTypesOfMpi.end() ? "" : found->second;
}

bool is_per_rank(const std::string& collective) {
  constexpr std::array kOnes{"all_gather", "alltoall", "alltoallv", "gather", "scatter"};
  return std::ranges::find(kOnes, collective) != kOnes.end();
}

class OsuReader {
 public:
  explicit OsuReader(const Stated& stated) : stated_(stated) {}

  void line(std::size_t number_of_line, std::string_view text) {
    const std::string_view line = without_prefix(text);
    const auto words = words_of(line);
    if (const auto title = title_of(line)) {
      begin(program_of(*title));
      if (gathered_.run().collective.empty()) {
        gathered_.complain(number_of_line, "no known test: " + std::string(line));
      }
    } else if (const auto type = after(line, "# Datatype:")) {
      type_ = type_of_mpi(*type);
    } else if (line.starts_with('#')) {
      bandwidth_ = line.find("MB/s") != std::string_view::npos;
    } else if (!words.empty() && number(words[0]) && !gathered_.run().collective.empty()) {
      row(number_of_line, words);
    }
  }

  LogContent result() { return gathered_.result(); }

 private:
  void begin(const std::string& collective) {
    const auto ranks = collective.starts_with("osu_") ? std::optional<int>(2) : stated_.ranks;
    gathered_.begin(Run{.collective = collective, .ranks = ranks});
    if (is_per_rank(collective) && !ranks) {
      throw std::invalid_argument("OSU's sizes of " + collective +
                                  " are one rank's part, and it does not say how many ranks there "
                                  "were: say --ranks");
    }
    type_.clear();
  }

  void row(std::size_t number_of_line, const std::vector<std::string_view>& words) {
    const auto size = whole_number(words[0]);
    const auto value = words.size() > 1 ? number(words[1]) : std::nullopt;
    if (!size || !value) {
      gathered_.complain(number_of_line, "size or figure is no number");
      return;
    }
    const Run& run = gathered_.run();
    const bool per_rank = is_per_rank(run.collective);
    const auto parts = per_rank ? static_cast<std::uint64_t>(*run.ranks) : 1U;
    const auto collective = schedule::collective(run.collective);
    Point point;
    point.size_bytes = *size * parts;
    point.type = type_;
    point.op = collective && schedule::reduces(*collective) ? "sum" : "none";
    if (bandwidth_) {
      point.algbw_gigabytes_per_second = *value / kMegabytesPerGigabyte;
      point.busbw_gigabytes_per_second = point.algbw_gigabytes_per_second;
    } else {
      point.time_us = value;
      work_out_bandwidths(point, run);
    }
    gathered_.add(point);
  }

  const Stated& stated_;
  Gathering gathered_;
  std::string type_;
  bool bandwidth_ = false;
};

}  // namespace

bool is_osu(std::string_view text) {
  return std::ranges::any_of(lines_of(text), [](std::string_view line) {
    return title_of(without_prefix(line)).has_value();
  });
}

LogContent read_osu(std::string_view text, const Stated& stated) {
  return read_lines(OsuReader(stated), text);
}

}  // namespace railgauge::verdict
