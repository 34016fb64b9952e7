#include "experiments/job/part_times.hpp"

#include <gtest/gtest.h>

#include "workload/kinds.hpp"
#include "workload/mix.hpp"

namespace railgauge::runner {
namespace {

using workload::Workload;

/// Of so many parts of a kind, on 4 ranks.
class Parts {
 public:
  explicit Parts(const std::vector<std::string>& names)
      : mix_(
            workload::mixed(std::vector<Workload>(names.size(), workload::make("moe", "")), names)),
        job_(workload::job_of(mix_, 4)) {}
  [[nodiscard]] const workload::Job& job() const { return job_; }

 private:
  Workload mix_;
  workload::Job job_;
};

TEST(PartTimes, AreOfEachPartAndOfPairsOfMoreThanTwo) {
  const Parts two({"a", "b"});
  EXPECT_EQ(PartTimes(two.job()).sets(), (std::vector<PartSet>{{0}, {1}}));
  const Parts three({"a", "b", "c"});
  const PartTimes times(three.job());
  EXPECT_EQ(times.sets(), (std::vector<PartSet>{{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(names_of(three.job(), times.all()), "a, b, c");
}

TEST(PartTimes, HaveFactorsOfMedians) {
  const Parts parts({"a", "b", "c"});
  PartTimes times(parts.job());
  EXPECT_EQ(times.parts({1, 1, 1}, 8)[0].alone_us, 0) << "nothing has run";
  for (const double us : {90.0, 100.0, 1000.0}) times.add({0}, {us, 7, 7});
  times.add({1}, {0, 200, 0});
  times.add({2}, {0, 0, 50});
  times.add({0, 2}, {150, 0, 100});
  times.add({0, 1, 2}, {200, 300, 100});
  const auto found = times.parts({3, 1, 2}, 8);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NEAR(found[0].alone_us, 100, 1);
  EXPECT_EQ(found[0].repetitions, 3);
  EXPECT_EQ(found[0].traffic_class, 8);
  EXPECT_EQ(found[0].ranks, 4);
  ASSERT_EQ(found[0].with.size(), 1U) << "with b it has not run";
  EXPECT_EQ(found[0].with[0].with, "c");
  EXPECT_NEAR(found[0].with[0].factor, 1.5, 0.01);
  EXPECT_EQ(found[0].together.with, "b, c");
  EXPECT_NEAR(found[0].together.factor, 2, 0.01);
  EXPECT_NEAR(found[1].together.factor, 1.5, 0.01);
  EXPECT_NEAR(found[2].with[0].factor, 2, 0.01);
}

/// So many steps of two parts, of which the first takes twice as long in the mix, or sometimes.
PartTimes steps(const Parts& parts, int count, double usual_us) {
  PartTimes times(parts.job());
  for (int i = 0; i < count; ++i) {
    times.add({0}, {100, 0});
    times.add({1}, {0, 100});
    times.add({0, 1}, {i % 2 == 0 ? 200 : usual_us, 101});
  }
  return times;
}

TEST(PartTimes, FindOnlyWhatIsMoreThanWanted) {
  const Parts parts({"train", "save"});
  EXPECT_FALSE(steps(parts, 20, 200).finding(2.1));
  const auto sure = steps(parts, 20, 200).finding(1.05);
  ASSERT_TRUE(sure);
  EXPECT_EQ(sure->certainty, finding::Certainty::likely);
  EXPECT_EQ(sure->severity, finding::Severity::error);
  EXPECT_EQ(sure->evidence.size(), 1U) << "save is as fast as alone, nearly";
  EXPECT_EQ(sure->detail, "train takes 2 times as long as alone, expected at most 1.05");
  EXPECT_TRUE(sure->excuses.empty());
}

TEST(PartTimes, FindOnlyASuspicionInStepsThatDiffer) {
  const Parts parts({"train", "save"});
  for (const PartTimes& times : {steps(parts, 3, 200), steps(parts, 7, 100)}) {
    const auto found = times.finding(1.05);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->certainty, finding::Certainty::possible);
    EXPECT_FALSE(found->excuses.empty());
  }
}

}  // namespace
}  // namespace railgauge::runner
