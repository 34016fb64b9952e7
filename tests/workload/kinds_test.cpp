#include "workload/kinds.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tree.hpp"
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

/// FSDP's hybrid shards: one rank's, all ranks', and what is between.
TEST(Dense, IsRightForShardsOfFewerRanksThanReplicas) {
  for (const std::int64_t shards : {1, 2, 3, 6, 12}) {
    const Settings settings{{"tp", 2}, {"zero", 3}, {"layers", 2}, {"shards", shards}};
    EXPECT_EQ(flaw_of_kind("dense", "", 24, settings), "") << shards;
  }
  EXPECT_NE(flaw_of_kind("dense", "", 4, {{"zero", 3}, {"shards", 3}}).find("a divisor of dp"),
            std::string::npos);
  EXPECT_NE(flaw_of_kind("dense", "", 4, {{"zero", 1}, {"shards", 2}}).find("zero to 3"),
            std::string::npos);
  const Workload workload = make("dense", "llama-3-8b");
  const Job job =
      job_of(workload, 8, {{"zero", 3}, {"shards", 4}, {"layers", 1}, {"microbatches", 1}});
  constexpr std::uint64_t kWeights = 4096 * 4096 * 5 / 2 + 3 * 4096 * 14336;
  EXPECT_EQ(bytes_by_name(job).at("replicas"), 2 * kWeights / 4 * 8) << "a quarter of each rank's";
  EXPECT_EQ(job.groups[2].instances.front(), (std::vector<Rank>{0, 4}));
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

/// One cache after the other arrives, in the order of both ends, as many as without a clock.
TEST(Kv, HasArrivalsWithARate) {
  for (const Rank ranks : {2U, 3U, 5U, 8U, 13U}) {
    EXPECT_EQ(flaw_of_kind("kv", "", ranks, {{"rate", 100}, {"requests", 7}}), "") << ranks;
    EXPECT_EQ(flaw_of_kind("kv", "", ranks, {{"rate", 100}, {"burst", 3}, {"prefill", 1}}), "");
  }
  EXPECT_NE(flaw_of_kind("kv", "", 2, {{"rate", 1}, {"burst", 0}}).find("set burst to 1 or more"),
            std::string::npos);
  const Workload workload = make("kv", "");
  const auto arrivals = [&](const Settings& more) {
    Settings settings{{"rate", 1000}, {"requests", 1000}};
    settings.insert(more.begin(), more.end());
    const Job job = job_of(workload, 2, settings);
    EXPECT_EQ(bytes_by_name(job).at("request"), std::uint64_t{327'680} * 4096 * 1000);
    std::vector<std::uint64_t> ends[2];
    for (Rank rank = 0; rank < 2; ++rank) {
      for (const RankStream& stream : job.streams[rank]) {
        for (const Entry& entry : stream.entries) ends[rank].push_back(entry.arrival_us);
      }
    }
    EXPECT_EQ(ends[0], ends[1]);
    return ends[1];
  };
  const auto single = arrivals({});
  EXPECT_TRUE(std::ranges::is_sorted(single));
  EXPECT_NEAR(static_cast<double>(single.back()), 1e6, 1.5e5);
  EXPECT_NE(arrivals({{"seed", 2}}), single);
  const auto bursts = arrivals({{"burst", 10}});
  EXPECT_EQ(bursts[0], bursts[9]);
  EXPECT_LT(bursts[9], bursts[10]);
  EXPECT_NEAR(static_cast<double>(bursts.back()), 1e6, 4e5);
}

TEST(Checkpoint, IsRightForAnyNumberOfRanks) {
  for (const Rank ranks : kRanks) {
    EXPECT_EQ(flaw_of_kind("checkpoint", "", ranks, {}).empty(), ranks > 1) << ranks;
  }
}

TEST(Dataset, IsRightForAnyNumberOfRanks) {
  for (const Rank ranks : kRanks) {
    EXPECT_EQ(flaw_of_kind("dataset", "", ranks, {}).empty(), ranks > 1) << ranks;
    if (ranks > 3) {
      EXPECT_EQ(flaw_of_kind("dataset", "", ranks, {{"storage", 3}, {"reads", 5}}), "") << ranks;
    }
  }
  const Workload workload = make("dataset", "");
  const Job job = job_of(workload, 5, {{"storage", 3}, {"batch", 1}, {"sample", 10}});
  const auto from_storage = [&](Rank reader) {
    std::vector<std::uint64_t> bytes;
    for (Rank from = 2; from < 5; ++from) bytes.push_back(job.tasks[0].pairs[from * 5 + reader]);
    return bytes;
  };
  EXPECT_EQ(from_storage(0), (std::vector<std::uint64_t>{3, 4, 3}));
  EXPECT_EQ(from_storage(1), (std::vector<std::uint64_t>{4, 3, 3}));
}

TEST(Reshard, IsRightForAnyNumberOfRanks) {
  for (const Rank ranks : kRanks) {
    EXPECT_EQ(flaw_of_kind("reshard", "", ranks, {}).empty(), ranks > 1) << ranks;
    for (std::int64_t trainers = 1; trainers < ranks; ++trainers) {
      const std::int64_t generators = ranks - trainers;
      for (std::int64_t tp = 1; tp <= generators; ++tp) {
        if (generators % tp != 0) continue;
        EXPECT_EQ(flaw_of_kind("reshard", "", ranks, {{"trainers", trainers}, {"tp", tp}}), "")
            << ranks << " " << trainers << " " << tp;
      }
    }
  }
  EXPECT_NE(flaw_of_kind("reshard", "", 5, {{"trainers", 2}, {"tp", 2}}).find("tp to a divisor"),
            std::string::npos);
}

/// Three thirds to two halves: the middle one goes to both.
TEST(Reshard, SendsWhatPiecesHaveInCommon) {
  const Workload workload = make("reshard", "");
  const Job job = job_of(workload, 5, {{"trainers", 3}, {"model", 6}});
  const std::vector<std::uint64_t>& pairs = job.tasks[0].pairs;
  constexpr std::uint64_t kSixth = 2'000'000;  // bytes
  EXPECT_EQ(pairs[0 * 5 + 3], 2 * kSixth);
  EXPECT_EQ(pairs[0 * 5 + 4], 0U);
  EXPECT_EQ(pairs[1 * 5 + 3], kSixth);
  EXPECT_EQ(pairs[1 * 5 + 4], kSixth);
  EXPECT_EQ(pairs[2 * 5 + 4], 2 * kSixth);
  EXPECT_EQ(pairs[3 * 5 + 0], 0U) << "nothing goes back";
}

TEST(Kinds, AreRefusedByName) {
  EXPECT_EQ(error_of([] { (void)make("dens", ""); }),
            "there is no kind of workload 'dens': expected dense, moe, kv, checkpoint, dataset or "
            "reshard; did you mean dense?");
  EXPECT_NE(error_of([] { (void)make("dense", "llama-3-7b"); }).find("there is no model"),
            std::string::npos);
  EXPECT_EQ(error_of([] { (void)make("moe", "llama-3-8b"); }), "a workload moe has no model");
}

TEST(Kinds, AreShown) {
  const Workload open = make("kv", "");
  const Job requests = job_of(open, 2, {{"rate", 1000}, {"requests", 3}});
  const std::vector<Entry>& sent = requests.streams[0].back().entries;
  const std::string arrivals =
      std::to_string(sent.front().arrival_us) + "-" + std::to_string(sent.back().arrival_us);
  EXPECT_NE(as_table(open, requests).find(" " + arrivals + "\n"), std::string::npos) << arrivals;

  const Workload workload = make("dense", "");
  const std::string table = as_table(workload, job_of(workload, 8, {{"tp", 2}, {"pp", 2}}));
  EXPECT_NE(table.find("dense training step, 8 ranks, in a step\ntp=2 pp=2 dp=2 "),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("reduce forward"), std::string::npos) << table;
}

/// What a compute and a send that follows it look like; narrower ones are left out.
TEST(Kinds, AreDrawn) {
  const Workload workload = make("kv", "");
  const Settings few{{"requests", 2}, {"prefill", 1}, {"prefill_us", 1000}, {"prompt", 100}};
  const std::string svg = as_svg(workload, job_of(workload, 3, few), 1000);
  EXPECT_EQ(svg.find("<svg "), 0U);
  EXPECT_NE(svg.find("rank 1, of 2 ranks alike"), std::string::npos) << svg;
  EXPECT_NE(svg.find("<title>prefill: 0 to 1000 us</title>"), std::string::npos) << svg;
  EXPECT_NE(svg.find("cache, alltoallv of all, "), std::string::npos);
  // The second cache follows the second prompt, or the first cache: it takes 32.8 ms.
  EXPECT_NE(svg.find(": 1000 to "), std::string::npos);
  const Workload dense = make("dense", "");
  const std::string large = as_svg(dense, job_of(dense, 4, {{"tp", 2}, {"microbatches", 64}}), 1e5);
  EXPECT_LT(large.size(), 3'000'000U) << "a step of 33,000 operations";
}

/// By an independent validator.
TEST(Kinds, AreOfTheSchema) {
  std::string name = ::testing::TempDir() + "railgauge_workload_XXXXXX";
  const std::filesystem::path folder = ::mkdtemp(name.data());
  for (const std::string& kind : kinds())
    std::ofstream(folder / (kind + ".json")) << as_json(make(kind, ""));
  const std::string validate = "'" + in_tree("results-schema/validate") + "' " + folder.string();
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
