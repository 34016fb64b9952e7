#include "manual/manual.hpp"

#include <gtest/gtest.h>

namespace railgauge::manual {
namespace {

const std::vector<std::string> kNames{"-b",     "--minbytes", "--maxbytes", "--iters",
                                      "--algo", "--nodes",    "--rails",    "--traffic-class"};

TEST(Suggestion, IsTheNearestWord) {
  EXPECT_EQ(nearest("--itres", kNames), "--iters");  // two letters swapped
  EXPECT_EQ(nearest("--alog", kNames), "--algo");
  EXPECT_EQ(nearest("--iter", kNames), "--iters");        // one missing
  EXPECT_EQ(nearest("--raills", kNames), "--rails");      // one more
  EXPECT_EQ(nearest("--nodas", kNames), "--nodes");       // another one
  EXPECT_EQ(nearest("iters", kNames), "--iters");         // without its dashes
  EXPECT_EQ(nearest("--maxbyte", kNames), "--maxbytes");  // one slip, while the other has three
}

TEST(Suggestion, IsWhatTheWordBegins) {
  EXPECT_EQ(nearest("--traffic", kNames), "--traffic-class");
  EXPECT_EQ(nearest("tra", kNames), "--traffic-class");
  EXPECT_FALSE(nearest("--m", kNames));  // minbytes or maxbytes
}

TEST(Suggestion, IsNothingIfNothingIsNear) {
  for (const char* word : {"--zebra", "-Q", "", "--", "-", "--completely-different"}) {
    EXPECT_FALSE(nearest(word, kNames)) << word;
  }
  EXPECT_FALSE(nearest("--iters", {}));
  EXPECT_FALSE(nearest(std::string(100'000, 'i'), kNames));
}

TEST(Suggestion, EndsAMessage) {
  EXPECT_EQ(did_you_mean("rign", {"ring", "tree"}), "; did you mean ring?");
  EXPECT_EQ(did_you_mean("bruck", {"ring", "tree"}), "");
}

}  // namespace
}  // namespace railgauge::manual
