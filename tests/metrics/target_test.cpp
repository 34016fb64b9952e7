#include "metrics/target.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace railgauge::metrics {
namespace {

TEST(Target, IsAFileOrAnAddress) {
  struct Case {
    std::string given;
    Target target;
    std::string said;
  };
  for (const Case& one : {
           Case{":9400", {.address = "127.0.0.1", .port = 9400}, "127.0.0.1:9400"},
           Case{":0", {.address = "127.0.0.1", .port = 0}, "127.0.0.1:0"},
           Case{"localhost:80", {.address = "127.0.0.1", .port = 80}, "127.0.0.1:80"},
           Case{"0.0.0.0:9400", {.address = "0.0.0.0", .port = 9400}, "0.0.0.0:9400"},
           Case{"[::1]:9400", {.address = "::1", .port = 9400}, "[::1]:9400"},
           Case{"run.prom", {.file = "run.prom"}, "run.prom"},
           Case{"/a:b/run.prom", {.file = "/a:b/run.prom"}, "/a:b/run.prom"},
           Case{"./a:80", {.file = "./a:80"}, "./a:80"},
           Case{"a:b", {.file = "a:b"}, "a:b"},
       }) {
    const Target target = target_of(one.given);
    EXPECT_EQ(target.file, one.target.file) << one.given;
    EXPECT_EQ(target.address, one.target.address) << one.given;
    EXPECT_EQ(target.port, one.target.port) << one.given;
    EXPECT_EQ(target.is_http(), one.target.file.empty()) << one.given;
    EXPECT_EQ(word(target), one.said);
  }
}

TEST(Target, IsRefusedIfItIsNeither) {
  for (const std::string word : {"", "9400", ":65536", ":99999999999", "host:9400", "::1:9400",
                                 "[127.0.0.1]:80", "[]:80", "1.2.3.4.5:80", "1.2.3:80"}) {
    EXPECT_THROW((void)target_of(word), std::invalid_argument) << word;
  }
}

}  // namespace
}  // namespace railgauge::metrics
