#include "job/exchanged_values.hpp"

#include <gtest/gtest.h>

#include <string>

#include "transport/gathered.hpp"

namespace railgauge::job {
namespace {

struct Named {
  std::string name{};
  double value = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("name", self.name);
    visit.required("value", self.value);
  }
};

TEST(ExchangedValues, AreThoseOfEveryRankInTheirOrder) {
  transport::Gathered ranks(1, {packed(Named{"one", 0.1}), packed(Named{"other", -2})});
  const auto all = all_gather_values(ranks, Named{});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name, "one");
  EXPECT_EQ(all[0].value, 0.1);
  EXPECT_EQ(all[1].name, "other");
}

TEST(ExchangedValues, ListsAreOneList) {
  using Words = std::vector<std::string>;
  transport::Gathered ranks(0, {packed(Words{"a", "b"}), packed(Words{}), packed(Words{"c"})});
  EXPECT_EQ(all_gather_list(ranks, Words{}), (Words{"a", "b", "c"}));
}

TEST(ExchangedValues, TheLeadersIsThatOfAll) {
  transport::Gathered ranks(1, {packed(7), transport::Bytes{}});
  EXPECT_EQ(value_of_leader(ranks, 5), 7);
}

}  // namespace
}  // namespace railgauge::job
