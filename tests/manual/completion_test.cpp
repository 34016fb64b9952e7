#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "manual/manual.hpp"
#include "sample_manual.hpp"

namespace railgauge::manual {
namespace {

/// What a shell prints that reads `script`.
std::string printed_by(const std::string& shell, const std::string& script) {
  std::string path = ::testing::TempDir() + "completionXXXXXX";
  const int file = mkstemp(path.data());
  EXPECT_GE(file, 0);
  close(file);
  std::ofstream(path) << script;
  std::string text;
  FILE* const pipe = popen((shell + " " + path + " 2>&1").c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  pclose(pipe);
  std::remove(path.c_str());
  return text;
}

/// What bash offers for the last of these words, one blank after each.
std::string offered(const Manual& manual, const std::string& function, const std::string& words) {
  return printed_by("bash", bash_completion(manual) + "COMP_WORDS=(" + words +
                                ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n" + function +
                                "\nprintf '%s ' \"${COMPREPLY[@]}\"\n");
}

TEST(BashCompletion, OffersNames) {
  const auto of = [](const std::string& words) {
    return offered(sample_manual(), "_ring_perf", "ring_perf " + words);
  };
  EXPECT_EQ(of("--m"), "--minbytes ");
  EXPECT_EQ(of("--force ''"), "-b --minbytes --algo -J --output --force ");
}

TEST(BashCompletion, OffersValuesInListsToo) {
  const auto of = [](const std::string& words) {
    return offered(sample_manual(), "_ring_perf", "ring_perf " + words);
  };
  EXPECT_EQ(of("--algo ''"), "ring tree ");
  EXPECT_EQ(of("--algo r"), "ring ");
  EXPECT_EQ(of("--algo ring,t"), "ring,tree ");
  EXPECT_EQ(of("-b ''"), " ");  // a number: nothing to offer
  EXPECT_EQ(of("-J ''"), " ");  // the shell's own: files
}

TEST(BashCompletion, FollowsCommands) {
  const auto of = [](const std::string& words) {
    return offered(sample_of_commands(), "_gauge", "gauge " + words);
  };
  EXPECT_EQ(of("''"), "schedule compare ");
  EXPECT_EQ(of("sch"), "schedule ");
  EXPECT_EQ(of("schedule ''"), "show ");
  EXPECT_EQ(of("schedule show --format ''"), "table svg ");
  EXPECT_EQ(of("compare ''"), "--json ");
}

TEST(ZshCompletion, OfAProgramIsThis) {
  EXPECT_EQ(zsh_completion(sample_manual()), R"(#compdef ring_perf
# written by its --completion zsh
_ring_perf() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C \
    '(-b --minbytes)'{-b,--minbytes}'[Smallest size]:SIZE: ' \
    --algo'[Algorithms]:NAME\[,...\]:_sequence compadd - ring tree' \
    '(-J --output)'{-J,--output}'[Result document]:PATH:_files' \
    --force'[Replace \[old\] files\: '\''all'\'']' \
    && return
}
_ring_perf "$@"
)");
}

TEST(ZshCompletion, HasAFunctionForEachCommand) {
  const std::string text = zsh_completion(sample_of_commands());
  for (const char* part :
       {"_gauge_schedule_show() {", "    show) _gauge_schedule_show ;;", "'*:file:_files'",
        "'1:command:((schedule\\:\"Who sends what\" compare\\:\"Judges results\" ))'"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

}  // namespace
}  // namespace railgauge::manual
