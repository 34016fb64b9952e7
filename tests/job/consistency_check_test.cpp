#include "job/consistency_check.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "job/failure.hpp"
#include "transport/gathered.hpp"

namespace railgauge::job {
namespace {

using Origin = results::Option::Origin;

/// Options of every type.
Options options() {
  return {{"iters", {std::int64_t{20}, Origin::default_value}},
          {"algo", {std::string("ring"), Origin::command_line}},
          {"force", {false, Origin::default_value}},
          {"devices", {std::string("mlx5_0"), Origin::environment}},
          {"device", {std::string(), Origin::default_value}}};
}

CommonValues values(const std::string& version = "1.0 abc", const Options& of_rank = options()) {
  return common_values(version, of_rank);
}

Options with(const std::string& name, results::Option option) {
  Options changed = options();
  changed[name] = std::move(option);
  return changed;
}

Options without(const std::string& name) {
  Options changed = options();
  changed.erase(name);
  return changed;
}

TEST(CommonValues, AreTheVersionAndOptionsAsTheyAreWritten) {
  EXPECT_EQ(values(), (CommonValues{{"the version", "1.0 abc"},
                                    {"--iters", "20"},
                                    {"--algo", "ring"},
                                    {"--force", "false"}}));
}

TEST(CommonValues, DoNotSayWhoSetThem) {
  EXPECT_EQ(values("1.0 abc", with("iters", {std::int64_t{20}, Origin::config_file})), values());
}

TEST(CommonValues, LeaveOutWhatMayDifferFromHostToHost) {
  const results::Option other{std::string("soft:2"), Origin::command_line};
  EXPECT_EQ(values("1.0 abc", with("devices", other)), values());
  EXPECT_EQ(values("1.0 abc", with("device", other)), values());
  EXPECT_NE(values("1.0 abc", with("algo", other)), values());
}

const char* const kAdvice = "; start all ranks with the same binary, options and environment";

TEST(Difference, IsNoneBetweenTheSame) {
  EXPECT_EQ(describe_difference(values(), values(), 1), "");
}

TEST(Difference, IsAnotherVersion) {
  EXPECT_EQ(describe_difference(values("1.0 abc"), values("1.0 def"), 3),
            std::string("ranks do not agree: the version is '1.0 abc' on rank 0 and '1.0 def' on "
                        "rank 3") +
                kAdvice);
}

TEST(Difference, IsAnotherValue) {
  const auto other = values("1.0 abc", with("iters", {std::int64_t{21}, Origin::environment}));
  EXPECT_EQ(
      describe_difference(values(), other, 1),
      std::string("ranks do not agree: --iters is '20' on rank 0 and '21' on rank 1") + kAdvice);
}

TEST(Difference, IsAnOptionThatOnlyOneOfThemHas) {
  const CommonValues fewer = values("1.0 abc", without("algo"));
  EXPECT_EQ(describe_difference(values(), fewer, 2),
            std::string("ranks do not agree: --algo is 'ring' on rank 0 and not there on rank 2") +
                kAdvice);
  EXPECT_EQ(describe_difference(fewer, values(), 2),
            std::string("ranks do not agree: --algo is not there on rank 0 and 'ring' on rank 2") +
                kAdvice);
}

/// What a rank puts into the exchange.
transport::Bytes bytes_of(const CommonValues& of_rank) {
  const auto packed = nlohmann::json::to_cbor(nlohmann::json(of_rank));
  const auto bytes = std::as_bytes(std::span(packed));
  return {bytes.begin(), bytes.end()};
}

/// The failure of a rank among these; empty if there is none.
std::string failure_among(const std::vector<CommonValues>& of_ranks) {
  std::vector<transport::Bytes> bytes;
  for (const CommonValues& of_rank : of_ranks) bytes.push_back(bytes_of(of_rank));
  transport::Gathered exchange(0, bytes);
  try {
    check_consistency(exchange, "1.0 abc", options());
  } catch (const RunFailure& failure) {
    EXPECT_EQ(failure.kind, results::Failure::Kind::usage);
    return failure.what();
  }
  return "";
}

/// The exchange of a rank alone, which remembers what it put in.
class Alone final : public transport::Exchange {
 public:
  [[nodiscard]] transport::Rank rank() const override { return 0; }
  [[nodiscard]] transport::Rank ranks() const override { return 1; }
  std::vector<transport::Bytes> all_gather(std::span<const std::byte> own) override {
    put_in = {own.begin(), own.end()};
    return {put_in};
  }
  std::vector<transport::Bytes> exchange_with(std::span<const transport::Rank>,
                                              std::span<const transport::Bytes>) override {
    return {};
  }
  transport::Bytes put_in;
};

TEST(Consistency, OfARankAloneIsGiven) {
  Alone exchange;
  check_consistency(exchange, "1.0 abc", options());
  EXPECT_EQ(exchange.put_in, bytes_of(values()));
}

TEST(Consistency, IsSilentAboutRanksThatAgree) {
  EXPECT_EQ(failure_among({values(), values(), values()}), "");
}

TEST(Consistency, NamesTheFirstRankThatDiffersFromRank0) {
  const auto other = values("1.0 abc", with("algo", {std::string("tree"), Origin::environment}));
  EXPECT_EQ(
      failure_among({values(), values(), other, values("2.0 abc")}),
      std::string("ranks do not agree: --algo is 'ring' on rank 0 and 'tree' on rank 2") + kAdvice);
}

}  // namespace
}  // namespace railgauge::job
