#include "verdict/setting.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace railgauge::verdict {
namespace {

using Json = nlohmann::ordered_json;

TEST(Setting, IsReadFromARow) {
  const Setting setting = setting_of(Json{{"rails", {0, 2}},
                                          {"queue_pairs", 2},
                                          {"chunk_bytes", 65536},
                                          {"traffic_class", 104},
                                          {"root", 3},
                                          {"own_rails", true}});
  EXPECT_EQ(setting, (Setting{{0, 2}, 2, 65536, 104, 3, true}));
  EXPECT_EQ(setting_of(Json{{"rails", {0}}}), Setting{{0}});
  EXPECT_THROW(setting_of(Json{{"queue_pairs", 1}}), std::runtime_error);
}

TEST(Setting, IsNamedByWhatVaries) {
  const Setting one{{0}, 1, 65536, 0, -1};
  const Setting more{{0}, 4, 65536, 104, -1};
  const Setting both{{0, 1}, 1, 131072, 0, 2};
  EXPECT_EQ(in_words(one, {one}), "");
  EXPECT_EQ(in_words(one, {one, more}), "1 queue pair, traffic class 0");
  EXPECT_EQ(in_words(more, {one, more}), "4 queue pairs, traffic class 104");
  EXPECT_EQ(in_words(one, {one, both}), "rail 0, chunks of 64K, root -1");
  EXPECT_EQ(in_words(both, {one, both}), "rails 0+1, chunks of 128K, root 2");
  Setting own = both;
  own.own_rails = true;
  EXPECT_EQ(in_words(own, {own, both}), "own rails");
}

}  // namespace
}  // namespace railgauge::verdict
