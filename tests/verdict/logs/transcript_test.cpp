#include "verdict/logs/transcript.hpp"

#include <gtest/gtest.h>

namespace railgauge::verdict {
namespace {

std::string text_of(const std::string& log) {
  return transcript_of(log).text;
}

TEST(Transcript, LosesPrefixes) {
  EXPECT_EQ(text_of("[1,0]<stdout>:  8 2\n"), "  8 2\n");
  EXPECT_EQ(text_of("[1,12]<stderr>:x\n"), "x\n");
  EXPECT_EQ(text_of("0:   8 2\n"), "  8 2\n");
  EXPECT_EQ(text_of(" 13: 8\n"), "8\n");
  EXPECT_EQ(text_of("[3] 8\n"), "8\n");
  EXPECT_EQ(text_of("2026-01-31T12:00:00.123456789Z stdout F 8 2\n"), "8 2\n");
  EXPECT_EQ(text_of("Jan  1 12:00:00 node01 slurmd[1]: 8 2\n"), "8 2\n");
  EXPECT_EQ(text_of("2026-01-31T12:00:00+0000 node01 srun[1234]: 8 2\n"), "8 2\n");
  EXPECT_EQ(text_of("2026-01-31T12:00:00.123456Z 01O 8 2\n"), "8 2\n");
  EXPECT_EQ(text_of("Jan 31 12:00:00 8 2\n"), "8 2\n");
  EXPECT_EQ(text_of("Jan 31 12:00:00 # Datatype: x\n"), "# Datatype: x\n");
  EXPECT_EQ(text_of("1706700000.123456 8 2\n"), "8 2\n");
  EXPECT_EQ(text_of("[rank0]: 8 2\n[default0]:8 3\n"), "8 2\n8 3\n");
  EXPECT_EQ(text_of("(train pid=77, ip=10.0.0.1) 8 2\n"), "8 2\n");
  EXPECT_EQ(text_of("8 2\r16 3\r"), "8 2\n16 3\n");
  EXPECT_EQ(text_of("{\"line\":\"8 2\",\"fields\":{}}\n"), "8 2\n");
  EXPECT_EQ(text_of("{\"log\":\"8 2\\n\",\"stream\":\"stdout\",\"time\":\"2026\"}\n"), "8 2\n");
  EXPECT_EQ(text_of("[\"8 2\", \"16 3\"]\n"), "8 2\n16 3\n");
  EXPECT_EQ(text_of("{\"cells\":[{\"outputs\":[{\"text\":[\"8 2\\n\"]},{\"text\":\"16 3\"}]},"
                    "{\"source\":[\"8 4\"]}]}\n"),
            "8 2\n16 3\n");
}

TEST(Transcript, LeavesEverythingElseAlone) {
  for (const std::string line :
       {"  8 2", "[] 8", "h:1:2 [0] NCCL INFO x", "8 4 float sum -1 2026-01-31 12:00:00",
        "[0000:06:00] x", "1706700000 8", "(x) 8", "[rank] 8", "{\"size\": 8}", "a | b | c",
        "12 apples: 3"}) {
    EXPECT_EQ(text_of(line + "\n"), line + "\n");
  }
}

TEST(Transcript, TakesTagsOutOfLines) {
  EXPECT_EQ(text_of("[1,0]<stdout>:  10[1,0]<stdout>:24  2\n"), "  1024  2\n");
  const Transcript cut = transcript_of("[1,0]<stdout>: a[1,1]<stdout>: b\n");
  EXPECT_EQ(cut.text, " a\n b\n");
  EXPECT_EQ(cut.numbers, (std::vector<std::size_t>{1, 1}));
}

TEST(Transcript, TakesAHostForOneIfNearlyAllLinesHaveIt) {
  EXPECT_EQ(text_of("node1: 8 2\nnode1: 16 3\nnode1:\n"), "8 2\n16 3\n\n");
  const std::string label = "Device: mlx5_0\n8 2\n16 3\n";
  EXPECT_EQ(text_of(label), label);
}

/// perftest's JSON, of some versions without quotation marks.
TEST(Transcript, TakesNoNameOfJsonForAHost) {
  const std::string names = "test: a,\nmtu: 1,\ngid: 0,\nport: 1,\nlid: 1,\nqp: 1,\n";
  const std::string record = "{\ninfo: {\n" + names + names + "}\n}\n";
  EXPECT_EQ(text_of(record + record), record + record);
}

/// Once as a text, once more as a list of lines; a list alone is read.
TEST(Transcript, ReadsAnsiblesOutputOnce) {
  const std::string text = "    \"stdout\": \"8 2 x\\n16 3 x\",\n";
  const std::string list =
      "    \"stdout_lines\": [\n        \"8 2 x\",\n        \"16 3 x\"\n    ]\n";
  const std::string after = "    \"stderr_lines\": [\n        \"a b [c]\"\n    ]\n";
  EXPECT_EQ(text_of(text + list + after),
            "8 2 x\n16 3 x\n    ]\n    \"stderr_lines\": [\na b [c]\n    ]\n");
  EXPECT_EQ(text_of(list), "    \"stdout_lines\": [\n8 2 x\n16 3 x\n    ]\n");
  EXPECT_EQ(text_of(text + "}\n" + list),
            "8 2 x\n16 3 x\n}\n    \"stdout_lines\": [\n8 2 x\n16 3 x\n    ]\n");
  EXPECT_EQ(transcript_of(text + list).numbers, (std::vector<std::size_t>{1, 1, 5}));
}

TEST(Transcript, SortsTablesThatSeveralRanksWrote) {
  const Transcript sorted = transcript_of("0: 8 2\n1: 8 3\n0: 16 4\n1: 16 5\n");
  EXPECT_EQ(sorted.text, "8 2\n16 4\n8 3\n16 5\n");
  EXPECT_EQ(sorted.numbers, (std::vector<std::size_t>{1, 3, 2, 4}));
}

/// Only one of them writes figures: the others' lines stay where they stood.
TEST(Transcript, KeepsTheOrderOfOneTable) {
  EXPECT_EQ(text_of("0: 8 2\n1: hello\n0: 16 4\n"), "8 2\nhello\n16 4\n");
}

/// Lines that end only where time grows with their length, not with its square.
TEST(Transcript, ReadsALongLineOnce) {
  constexpr std::size_t kLength = 1'000'000;
  for (const std::string part :
       {"[]", "[1] ", "[1,0]<stderr>:", "]<stdout>:", "[x]<stdout>:", "\x1b]x\a"}) {
    std::string line;
    while (line.size() < kLength) line += part;
    EXPECT_LE(text_of(line).size(), line.size() + 1) << part;
  }
}

}  // namespace
}  // namespace railgauge::verdict
