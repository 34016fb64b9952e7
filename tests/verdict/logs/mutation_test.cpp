// Logs that were damaged on their way here: whatever happens to their lines, an import gives the
// figures of the whole log, or says what it left out; never others.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "tree.hpp"

#include "verdict/logs/import.hpp"

namespace railgauge::verdict {
namespace {

using Figures =
    std::tuple<std::string, std::uint64_t, std::string, BufferMode, double, double, double>;

/// What an import says: its figures, and whether it reported anything.
struct Reading {
  std::multiset<Figures> figures{};
  bool reported = false;
};

Reading reading_of_log(const std::string& log, const Stated& stated) {
  Reading reading;
  try {
    const Imported imported = import_log(log, "auto", stated);
    reading.reported = !imported.complaints.empty();
    for (const verdict::Run& run : imported.reference.runs) {
      reading.reported = reading.reported || run.collective.empty();
      for (const Point& point : run.points) {
        reading.figures.emplace(run.collective, point.size_bytes.value_or(0), point.type,
                                point.buffers, point.time_us.value_or(-1),
                                point.algbw_gigabytes_per_second.value_or(-1),
                                point.busbw_gigabytes_per_second.value_or(-1));
      }
    }
  } catch (const std::runtime_error&) {
    reading.reported = true;
  } catch (const std::invalid_argument&) {
    reading.reported = true;
  }
  return reading;
}

/// The same figures; or fewer, each of the whole log, and it is said.
bool is_honest(const Reading& whole, const Reading& damaged) {
  if (damaged.figures == whole.figures) return true;
  if (!damaged.reported) return false;
  return std::ranges::all_of(damaged.figures, [&](Figures figures) {
    const bool nameless = std::get<0>(figures).empty();
    return std::ranges::any_of(whole.figures, [&](Figures other) {
      if (nameless) std::get<0>(other).clear();
      return figures == other;
    });
  });
}

using Words = std::vector<std::string>;

Words lines_in(const std::string& log) {
  Words lines;
  for (const std::string_view line : lines_of(log)) lines.emplace_back(line);
  return lines;
}

std::string joined(const Words& lines) {
  std::string log;
  for (const std::string& line : lines) log += line + "\n";
  return log;
}

/// Rows: lines of figures, which are what gets lost among other processes' output.
bool is_row(const std::string& line) {
  return looks_like_figures(words_of(line)) && line.find('#') == std::string::npos;
}

class Damage {
 public:
  explicit Damage(Words lines) : lines_(std::move(lines)) {
    for (std::size_t at = 0; at < lines_.size(); ++at) {
      if (is_row(lines_[at])) rows_.push_back(at);
    }
  }

  [[nodiscard]] bool any() const { return !rows_.empty(); }

  /// The log with one row damaged in one way; what was done is in `what`.
  std::string next(std::string& what) {
    Words lines = lines_;
    const std::size_t at = rows_[below(rows_.size())];
    std::string& line = lines[at];
    Words words;
    for (const std::string_view word : words_of(line)) words.emplace_back(word);
    const std::size_t word = below(words.size());
    switch (words.size() < 2 ? 1 : below(7)) {
      case 0: words.erase(words.begin() + static_cast<std::ptrdiff_t>(word)); break;
      case 1: words.insert(words.begin() + static_cast<std::ptrdiff_t>(word), words[word]); break;
      case 2: std::swap(words[word], words[below(words.size())]); break;
      case 3: words.insert(words.begin() + static_cast<std::ptrdiff_t>(word), "7"); break;
      case 4: words.insert(words.begin() + static_cast<std::ptrdiff_t>(word), "x"); break;
      case 5: words.resize(word + 1); break;
      default: words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(word)); break;
    }
    if (words.empty()) words = {"0"};  // a line that is gone leaves no trace
    line.clear();
    for (const std::string& one : words) line += " " + one;
    what = "line " + std::to_string(at + 1) + ":" + line;
    return joined(lines);
  }

  /// Every row twice.
  [[nodiscard]] std::string doubled() const {
    Words lines;
    for (const std::string& line : lines_) {
      lines.push_back(line);
      if (is_row(line)) lines.push_back(line);
    }
    return joined(lines);
  }

 private:
  std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }

  Words lines_;
  std::vector<std::size_t> rows_;
  std::mt19937 random_{20260131};  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same every time
};

const std::string kDamagedOsu =
    "# OSU MPI Allreduce Latency Test v7.4\n# Datatype: MPI_FLOAT.\n"
    "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
    "4                       3.41              3.20              3.60        1000\n"
    "1024                    9.50              9.20              9.70        1000\n"
    "1048576               100.00             99.00            101.00         100\n";
const std::string kDamagedPerftest =
    "                    RDMA_Write BW Test\n"
    " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
    " 65536      5000             393.10             392.08                 0.747833\n"
    " 131072     5000             394.22             393.07                 0.374861\n";
const std::string kDamagedLatency =
    "                    Send Latency Test\n"
    " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]\n"
    " 2       1000          4.70           13.20        4.83                4.85\n"
    " 4       1000          4.72           13.60        4.91                4.95\n";
const std::string kDamagedSmall =
    "# Collective test starting: all_reduce_perf\n"
    "           8             2     float     sum      -1    20.11    0.00    0.00      0    21.32"
    "    0.00    0.00      0\n"
    "         256            64     float     sum      -1    20.52    0.01    0.02      0    20.91"
    "    0.01    0.02      0\n"
    "       65536         16384     float     sum      -1    31.27    2.10    3.14      0    30.88"
    "    2.12    3.18      0\n";

const std::string kDamagedImb =
    "# Benchmarking Allreduce \n# #processes = 4 \n"
    "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
    "         1024         1000         9.50        10.50        10.00\n"
    "      1048576           40        98.00       102.00       100.00\n";
const std::string kDamagedUcc =
    "Collective:             Allreduce\nDatatype:               float32\n"
    "       Count        Size                Time, us                           Bandwidth, GB/s\n"
    "       65536      262144      100.00       90.00      110.00        3.93        4.37        "
    "3.57\n"
    "      131072      524288      190.00      180.00      210.00        4.14        4.37        "
    "3.74\n";
const std::string kDamagedGloo =
    "Algorithm:   allreduce_ring_chunked\nOptions:     processes=4, inputs=1, threads=1\n\n"
    "   size (B)   elements   min (us)   p50 (us)   p99 (us)   max (us)   bandwidth (GB/s)"
    "    iterations\n"
    "    1000000     250000         90        100        150        200        9.313       1000\n"
    "    2000000     500000        190        200        250        300        9.313       1000\n";

void expect_honest(const std::string& name, const std::string& log, const Stated& stated) {
  const Reading whole = reading_of_log(log, stated);
  ASSERT_FALSE(whole.figures.empty()) << name;
  Damage damage(lines_in(log));
  ASSERT_TRUE(damage.any()) << name;
  std::string what;
  constexpr int kTries = 150;
  for (int i = 0; i < kTries; ++i) {
    const std::string damaged = damage.next(what);
    EXPECT_TRUE(is_honest(whole, reading_of_log(damaged, stated))) << name << " " << what;
  }
  EXPECT_TRUE(is_honest(whole, reading_of_log(damage.doubled(), stated))) << name << " doubled";
}

TEST(Mutation, NeverYieldsOtherFiguresOfPublishedLogs) {
  for (const auto& entry :
       std::filesystem::directory_iterator(in_tree("tests/verdict/logs/samples"))) {
    if (entry.path().extension() != ".txt") continue;
    std::ifstream file(entry.path());
    expect_honest(entry.path().filename(), {std::istreambuf_iterator<char>(file), {}}, {});
  }
}

TEST(Mutation, NeverYieldsOtherFiguresOfOtherFormats) {
  expect_honest("osu", kDamagedOsu, {.ranks = 4});
  expect_honest("perftest", kDamagedPerftest, {});
  expect_honest("latency", kDamagedLatency, {});
  expect_honest("imb", kDamagedImb, {});
  expect_honest("ucc", kDamagedUcc, {.ranks = 4});
  expect_honest("gloo", kDamagedGloo, {.type = "float"});
}

/// Where bandwidths are too small to tell: two words of one kind that were exchanged cannot be
/// known, all else can.
TEST(Mutation, NeverYieldsOtherFiguresOfSmallSizes) {
  const Reading whole = reading_of_log(kDamagedSmall, {});
  Damage damage(lines_in(kDamagedSmall));
  std::string what;
  int dishonest = 0;
  constexpr int kTries = 400;
  for (int i = 0; i < kTries; ++i) {
    const std::string log = damage.next(what);
    const bool exchanged = words_of(log).size() == words_of(kDamagedSmall).size();
    const bool honest = is_honest(whole, reading_of_log(log, {}));
    EXPECT_TRUE(honest || exchanged) << what;
    dishonest += honest ? 0 : 1;
  }
  EXPECT_LT(dishonest, kTries / 50);
}

}  // namespace
}  // namespace railgauge::verdict
