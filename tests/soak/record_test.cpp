#include "soak/record.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "soak/parts.hpp"
#include "soak/sample_record.hpp"

namespace railgauge::soak {
namespace {

namespace fs = std::filesystem;
using Existing = results::Writer::Existing;

/// A folder that goes away with the test.
class RecordTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "railgauge_record_XXXXXX";
    folder_ = ::mkdtemp(name.data());
    path_ = folder_ / "soak.jsonl";
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] RecordWriter begin(std::size_t most_bytes = RecordWriter::kMostBytes) const {
    return {path_, sample_header(), Existing::refuse, most_bytes};
  }
  void write_windows(std::uint64_t count) const {
    RecordWriter writer = begin();
    for (std::uint64_t number = 1; number <= count; ++number) writer.add(sample_window(number));
    writer.sync({});
  }
  [[nodiscard]] std::string content() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void append(const std::string& text) const { std::ofstream(path_, std::ios::app) << text; }

  fs::path folder_;
  std::string path_;
};

std::vector<std::uint64_t> numbers_of(const Record& record) {
  std::vector<std::uint64_t> numbers;
  for (const Window& window : record.windows) numbers.push_back(window.number);
  return numbers;
}

std::string complaint_of(const std::function<void()>& what) {
  try {
    what();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(RecordTest, ComesBackAsItWasWritten) {
  RecordWriter writer = begin();
  Window window = sample_window(1);
  window.phases[0].findings.push_back(
      finding::found("verification", finding::Cause::wrong_data, {.scope = finding::Scope::path}));
  writer.add(window);
  finding::Finding flap =
      finding::found("soak", finding::Cause::link_down,
                     {.scope = finding::Scope::port, .at = {.host = "host0", .rail = 1}});
  flap.when = finding::TimeWindow{.window = 1, .count = 2};
  writer.add(flap);
  Gap gap;
  gap.why = "killed";
  writer.add(gap);
  writer.add(End{.complete = true, .outcome = finding::Outcome::fail, .reason = "1 finding"});
  EXPECT_EQ(writer.stopped(), "");

  const Record record = read_record(path_);
  EXPECT_EQ(record.header.run, "soak-1");
  EXPECT_EQ(record.header.plan, sample_header().plan);
  ASSERT_EQ(record.windows.size(), 1U);
  EXPECT_EQ(record.windows[0].phases[0].rails[1].bytes, 700U);
  EXPECT_EQ(record.windows[0].phases[0].findings[0].cause, finding::Cause::wrong_data);
  EXPECT_EQ(record.windows[0].ports[0].moved.at("port_xmit_data"), 7);
  ASSERT_EQ(record.findings.size(), 1U);
  EXPECT_EQ(record.findings[0].cause, finding::Cause::link_down);
  EXPECT_EQ(record.findings[0].where, flap.where);
  EXPECT_EQ(record.findings[0].when->count, 2U);
  EXPECT_EQ(record.gaps.at(0).why, "killed");
  ASSERT_TRUE(record.end);
  EXPECT_EQ(record.end->outcome, finding::Outcome::fail);
  EXPECT_EQ(record.end->reason, "1 finding");
  EXPECT_TRUE(record.remarks.empty());
}

TEST_F(RecordTest, ATornLastLineIsLeftOutWithARemark) {
  write_windows(2);
  append(to_text(sample_window(3)).substr(0, 100));
  const Record record = read_record(path_);
  EXPECT_EQ(numbers_of(record), (std::vector<std::uint64_t>{1, 2}));
  ASSERT_EQ(record.remarks.size(), 1U);
  EXPECT_TRUE(contains(record.remarks[0], "line 4")) << record.remarks[0];
  EXPECT_TRUE(contains(record.remarks[0], "torn")) << record.remarks[0];
}

TEST_F(RecordTest, ALineThatCannotBeReadBeforeOthersIsAnError) {
  write_windows(1);
  append("{\"schema\":\n" + to_text(sample_window(2)) + "\n");
  EXPECT_TRUE(contains(complaint_of([&] { (void)read_record(path_); }), "line 3"));
}

TEST_F(RecordTest, WhatIsNoRecordIsRefused) {
  append("{\"schema\": \"railgauge/result/3\"}\n");
  EXPECT_TRUE(contains(complaint_of([&] { (void)read_record(path_); }), "railgauge/soak/2"));
  EXPECT_NE(complaint_of([&] { (void)read_record(folder_ / "none.jsonl"); }), "");
}

TEST_F(RecordTest, IsGoneOnWithWithoutItsTornLine) {
  write_windows(2);
  append("{\"schema\":\"railgauge/soak/2\",\"line\":\"win");
  {
    RecordWriter writer(path_);
    writer.add(sample_window(3));
  }
  const Record record = read_record(path_);
  EXPECT_EQ(numbers_of(record), (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_TRUE(record.remarks.empty());
}

TEST_F(RecordTest, ZeroesThatAHostLeftAtItsEndAreCutOff) {
  write_windows(2);
  append(std::string(5000, '\0'));
  {
    RecordWriter writer(path_);
    writer.add(sample_window(3));
  }
  EXPECT_EQ(numbers_of(read_record(path_)), (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST_F(RecordTest, IsNotOverwrittenUnlessForced) {
  write_windows(1);
  EXPECT_TRUE(contains(complaint_of([&] { (void)begin(); }), "--resume"));
  { const RecordWriter writer(path_, sample_header(), Existing::overwrite); }
  EXPECT_TRUE(read_record(path_).windows.empty());
}

TEST_F(RecordTest, HasOneWriter) {
  const RecordWriter first = begin();
  EXPECT_TRUE(contains(complaint_of([&] { (void)RecordWriter(path_); }), "another run"));
}

TEST_F(RecordTest, CannotBeGoneOnWithIfItIsNotThere) {
  EXPECT_NE(complaint_of([&] { (void)RecordWriter(path_); }), "");
}

TEST_F(RecordTest, IsPackedInPartsThatAreReadInOrder) {
  constexpr std::size_t kSmall = 4096;
  {
    RecordWriter writer = begin(kSmall);
    for (std::uint64_t number = 1; number <= 50; ++number) {
      writer.add(sample_window(number));
      writer.sync({});
    }
    EXPECT_EQ(writer.stopped(), "");
  }
  EXPECT_TRUE(fs::exists(path_ + ".1.gz"));
  EXPECT_TRUE(fs::exists(path_ + ".2.gz"));
  EXPECT_FALSE(fs::exists(path_ + ".1"));
  EXPECT_LT(fs::file_size(path_), 2 * kSmall);
  const Record record = read_record(path_);
  ASSERT_EQ(record.windows.size(), 50U);
  for (std::uint64_t i = 0; i < 50; ++i) EXPECT_EQ(record.windows[i].number, i + 1);
}

TEST_F(RecordTest, HasLinesAfterEveryWindow) {
  RecordWriter writer = begin(1);  // as of 8,192 ports: every window is a file of its own
  writer.sync({});
  for (std::uint64_t number = 1; number <= 3; ++number) {
    writer.add(sample_window(number));
    writer.sync({});
    EXPECT_EQ(content(), to_text(sample_window(number)) + "\n");
  }
  writer.add(End{.complete = true});
  EXPECT_TRUE(contains(content(), "\"line\":\"end\"")) << content();
  EXPECT_EQ(numbers_of(read_record(path_)), (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST_F(RecordTest, IsThereWhereverPackingWasInterrupted) {
  EXPECT_FALSE(is_record(path_));
  EXPECT_FALSE(is_record("/no/such/folder/soak.jsonl"));
  write_windows(2);
  EXPECT_TRUE(is_record(path_));
  fs::rename(path_, path_ + ".1");
  EXPECT_TRUE(is_record(path_)) << "between two files";
  append("");
  EXPECT_TRUE(is_record(path_)) << "before its next line";
  ASSERT_TRUE(pack(path_ + ".1"));
  EXPECT_TRUE(is_record(path_)) << "packed";
  {
    RecordWriter writer(path_);
    writer.add(sample_window(3));
  }
  EXPECT_EQ(numbers_of(read_record(path_)), (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST_F(RecordTest, ADocumentIsNoRecord) {
  append("{\"schema\": \"railgauge/result/3\"}\n");
  EXPECT_FALSE(is_record(path_));
  std::ofstream(path_ + ".1") << content();
  fs::resize_file(path_, 0);
  EXPECT_FALSE(is_record(path_)) << "nor is what has its name";
}

TEST_F(RecordTest, IsWholeWhereverPackingWasInterrupted) {
  write_windows(2);
  fs::rename(path_, path_ + ".1");  // killed before the next file was made
  EXPECT_EQ(numbers_of(read_record(path_)), (std::vector<std::uint64_t>{1, 2}));
  {
    RecordWriter writer(path_);
    writer.add(sample_window(3));
  }
  EXPECT_TRUE(fs::exists(path_ + ".1.gz")) << "what was begun is finished";
  EXPECT_EQ(numbers_of(read_record(path_)), (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST_F(RecordTest, MayBePackedWhileItIsRead) {
  write_windows(1);
  fs::rename(path_, path_ + ".1");
  append(to_text(sample_window(2)) + "\n");
  fs::rename(path_, path_ + ".2");
  append(to_text(sample_window(3)) + "\n");
  std::vector<std::uint64_t> numbers;
  (void)read_record(path_, [&](const Line& line) {
    if (fs::exists(path_ + ".2")) {
      EXPECT_TRUE(pack(path_ + ".2"));
    }
    if (const auto* const window = std::get_if<Window>(&line)) numbers.push_back(window->number);
  });
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST_F(RecordTest, APartThatHasGoneIsAnError) {
  write_windows(1);
  fs::rename(path_, path_ + ".1");
  append(to_text(sample_window(2)) + "\n");
  fs::rename(path_, path_ + ".2");
  append(to_text(sample_window(3)) + "\n");
  const auto remove = [&](const Line&) { fs::remove(path_ + ".2"); };
  EXPECT_TRUE(contains(complaint_of([&] { (void)read_record(path_, remove); }), "soak.jsonl.2"));
}

TEST_F(RecordTest, AMissingPartIsRemarked) {
  constexpr std::size_t kSmall = 2048;
  {
    RecordWriter writer = begin(kSmall);
    for (std::uint64_t number = 1; number <= 50; ++number) {
      writer.add(sample_window(number));
      writer.sync({});
    }
  }
  fs::remove(path_ + ".2.gz");
  const Record record = read_record(path_);
  ASSERT_EQ(record.remarks.size(), 1U);
  EXPECT_TRUE(contains(record.remarks[0], "soak.jsonl.2.gz is missing"));
  EXPECT_LT(record.windows.size(), 50U);
}

TEST_F(RecordTest, AnEndIsNoEndIfTheSoakWentOn) {
  {
    RecordWriter writer = begin();
    writer.add(sample_window(1));
    writer.add(End{.why = "interrupted"});
  }
  EXPECT_EQ(read_record(path_).end->why, "interrupted");
  RecordWriter writer(path_);
  writer.add(Gap{});
  EXPECT_FALSE(read_record(path_).end);
}

/// Files cannot grow beyond so many bytes while one of these lives: a disk that is full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
};

TEST_F(RecordTest, AFullDiskStopsSamplesAndKeepsTheState) {
  constexpr rlim_t kDisk = 65536;
  RecordWriter writer = begin();
  State state{.run = "soak-1"};
  {
    const FullDisk full(kDisk);
    for (std::uint64_t number = 1; number <= 200; ++number) {
      writer.add(sample_window(number));
      state.last_window = number;
      writer.sync(state);
    }
  }
  EXPECT_TRUE(contains(writer.stopped(), path_)) << writer.stopped();
  EXPECT_LE(fs::file_size(path_), kDisk);
  const Record record = read_record(path_);
  EXPECT_TRUE(record.remarks.empty()) << "no line is torn";
  EXPECT_GT(record.windows.size(), 10U);
  EXPECT_LT(record.windows.size(), 200U);
  const auto kept = read_state(path_);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->last_window, 200U);
  EXPECT_EQ(kept->samples_stopped, writer.stopped());
}

TEST_F(RecordTest, TheStateComesBack) {
  State state{.run = "soak-1", .last_window = 7, .reason = "a loss"};
  state.ports.push_back({.host = "host0", .device = "mlx5_0", .after = {{"out_of_sequence", 3}}});
  ASSERT_TRUE(write_state(path_, state));
  state.last_window = 8;
  ASSERT_TRUE(write_state(path_, state));
  const auto kept = read_state(path_);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->last_window, 8U);
  EXPECT_EQ(kept->reason, "a loss");
  EXPECT_EQ(kept->ports.at(0).after.at("out_of_sequence"), 3U);
}

TEST_F(RecordTest, ThereMayBeNoState) {
  EXPECT_FALSE(read_state(path_));
  std::ofstream(path_ + ".state") << "{\"run\":";
  EXPECT_FALSE(read_state(path_));
}

}  // namespace
}  // namespace railgauge::soak
