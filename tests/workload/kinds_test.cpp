#include "workload/kinds.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "workload/check.hpp"
#include "workload/documents.hpp"
#include "workload/rendering.hpp"

namespace railgauge::workload {
namespace {

/// What is wrong with it.
std::string flaw_of_kind(const std::string& kind, const std::string& model, Rank ranks,
                         const Settings& settings) {
  const Workload workload = make(kind, model);
  return error_of([&] { check(workload, job_of(workload, ranks, settings)); });
}

TEST(Dense, IsRightForAllFactorsOfAnyNumberOfRanks) {
  for (const Rank ranks : kRanks) {
    for (std::int64_t tp = 1; tp <= ranks; ++tp) {
      for (std::int64_t pp = 1; tp * pp <= ranks; ++pp) {
        if (ranks % (tp * pp) != 0) continue;
        for (const std::int64_t zero : {1, 3}) {
          const Settings settings{{"tp", tp}, {"pp", pp}, {"zero", zero}, {"layers", 2 * pp}};
          EXPECT_EQ(flaw_of_kind("dense", "llama-3-8b", ranks, settings), "")
              << ranks << " " << tp << " " << pp << " " << zero;
        }
      }
    }
  }
}

TEST(Dense, IsRightForEveryModelOnManyRanks) {
  for (const std::string& model : models())
    EXPECT_EQ(flaw_of_kind("dense", model, 32, {{"tp", 8}, {"pp", 2}, {"microbatches", 1}}), "")
        << model;
}

/// Llama 3 8B in one piece: 4096^2 * 2.5 + 3 * 4096 * 14336 weights a layer.
TEST(Dense, HasTheBytesOfThePaper) {
  const Workload workload = make("dense", "llama-3-8b");
  const Job job = job_of(workload, 8, {{"tp", 2}, {"pp", 2}, {"microbatches", 1}, {"zero", 3}});
  const auto bytes = bytes_by_name(job);
  constexpr std::uint64_t kWeights = 4096 * 4096 * 5 / 2 + 3 * 4096 * 14336;
  EXPECT_EQ(bytes.at("dp"), 3 * 2 * (kWeights / 2) * 16 * 8);  // W/tp of 16 layers, of 8 ranks
  EXPECT_EQ(bytes.at("tp"), std::uint64_t{4} * 16 * 2 * 4096 * 4096 * 8);
  EXPECT_EQ(bytes.at("activations"), std::uint64_t{4} * 2 * 4096 * 4096);
}

TEST(Dense, RefusesWhatDoesNotFit) {
  EXPECT_NE(
      flaw_of_kind("dense", "", 6, {{"tp", 4}}).find("set tp, pp and dp so that their product"),
      std::string::npos);
  EXPECT_NE(flaw_of_kind("dense", "", 3, {{"pp", 3}}).find("set pp to a divisor of layers"),
            std::string::npos);
  EXPECT_NE(flaw_of_kind("dense", "", 1, {{"zero", 2}}).find("set zero to 1 or 3"),
            std::string::npos);
}

TEST(Moe, IsRightForAnyNumberOfRanksAndSkew) {
  for (const Rank ranks : kRanks) {
    for (const std::int64_t alpha : {0, 1000, 1500}) {
      const Settings settings{{"alpha", alpha}, {"moe_layers", 2}};
      EXPECT_EQ(flaw_of_kind("moe", "", ranks, settings), "") << ranks << " " << alpha;
    }
  }
}

/// BMWG: T_dispatch = B*k*H*P/N for each pair; combine is the transpose, of twice as many bytes.
TEST(Moe, HasTheBytesOfTheDraft) {
  const Workload workload = make("moe", "");
  const Job uniform = job_of(workload, 8);
  for (const std::uint64_t pair : uniform.tasks[0].pairs) EXPECT_EQ(pair, 128U * 8 * 7168 / 8);
  const Job skewed = job_of(workload, 8, {{"alpha", 1000}});
  for (Rank from = 0; from < 8; ++from) {
    for (Rank to = 0; to < 8; ++to)
      EXPECT_EQ(2 * skewed.tasks[0].pairs[from * 8 + to], skewed.tasks[1].pairs[to * 8 + from]);
  }
  EXPECT_NE(skewed.tasks[0].pairs, uniform.tasks[0].pairs);
}

TEST(Kv, IsRightForAnyNumberOfRanks) {
  for (const Rank ranks : kRanks) {
    const std::string flaw = flaw_of_kind("kv", "llama-3-70b", ranks, {});
    const bool fits = flaw.find("at least one of each") == std::string::npos;
    EXPECT_EQ(fits, ranks > 1) << flaw;
    EXPECT_EQ(flaw.empty(), ranks > 1) << flaw;
  }
  // 327,680 B a token of the 70B class: 1.34 GB at 4k.
  const Workload workload = make("kv", "llama-3-70b");
  EXPECT_EQ(bytes_by_name(job_of(workload, 2, {{"requests", 1}})).at("all"), 327'680U * 4096);
}

TEST(Checkpoint, IsRightForAnyNumberOfRanks) {
  for (const Rank ranks : kRanks) {
    EXPECT_EQ(flaw_of_kind("checkpoint", "", ranks, {}).empty(), ranks > 1) << ranks;
  }
}

TEST(Kinds, AreRefusedByName) {
  EXPECT_EQ(
      error_of([] { (void)make("dens", ""); }),
      "there is no kind of workload 'dens': expected dense, moe, kv or checkpoint; did you mean "
      "dense?");
  EXPECT_NE(error_of([] { (void)make("dense", "llama-3-7b"); }).find("there is no model"),
            std::string::npos);
  EXPECT_EQ(error_of([] { (void)make("moe", "llama-3-8b"); }), "a workload moe has no model");
}

TEST(Kinds, AreShown) {
  const Workload workload = make("dense", "");
  const std::string table = as_table(workload, job_of(workload, 8, {{"tp", 2}, {"pp", 2}}));
  EXPECT_NE(table.find("dense training step, 8 ranks, in a step\ntp=2 pp=2 dp=2 "),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("reduce forward"), std::string::npos) << table;
}

/// By an independent validator.
TEST(Kinds, AreOfTheSchema) {
  std::string name = ::testing::TempDir() + "railgauge_workload_XXXXXX";
  const std::filesystem::path folder = ::mkdtemp(name.data());
  for (const std::string& kind : kinds())
    std::ofstream(folder / (kind + ".json")) << as_json(make(kind, ""));
  const std::string validate = "'" RAILGAUGE_SCHEMAS "/validate' " + folder.string();
  const int status = std::system((validate + "/*.json").c_str());
  auto wrong = as_json(make("moe", ""));
  wrong["classes"][0]["streams"][0]["operations"][0]["operations"][1]["byte"] = 1;
  std::ofstream(folder / "wrong.json") << wrong;
  const int refused = std::system((validate + "/wrong.json > /dev/null").c_str());
  std::filesystem::remove_all(folder);
  constexpr int kNoValidator = 77;
  if (WEXITSTATUS(status) == kNoValidator) GTEST_SKIP() << "no validator";
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(WEXITSTATUS(refused), 1);
}

}  // namespace
}  // namespace railgauge::workload
