#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "workload/traces/written.hpp"

namespace railgauge::workload::traces {
namespace {

using nlohmann::json;

/// What versions of PyTorch write differently.
struct Version {
  const char* name;
  const char* all_reduce;
  const char* all_gather;
  const char* reduce_scatter;
  const char* all_to_all;
  bool has_groups;   // names and ranks of groups
  bool has_numbers;  // "Seq", "Is asynchronized op"
  bool ranks_are_text;
};
const std::vector<Version> kVersions{
    {"2.2", "allreduce", "_allgather_base", "_reduce_scatter_base", "all_to_all", false, false,
     true},
    {"2.4", "allreduce", "allgather", "reduce_scatter", "all_to_allv", true, false, true},
    {"2.7", "allreduce_coalesced", "all_gather_into_tensor_coalesced",
     "reduce_scatter_tensor_coalesced", "all_to_allv", true, true, true},
    {"newest", "all_reduce", "all_gather_single", "reduce_scatter_single", "all_to_all_single",
     true, true, false}};

std::vector<Rank> all(Rank ranks) {
  std::vector<Rank> members(ranks);
  std::iota(members.begin(), members.end(), 0U);
  return members;
}

/// The trace of one rank.
struct RankTrace {
  Version version;
  Rank rank = 0;
  Rank ranks = 0;
  double now = 1'000'000.25;
  json events = json::array();

  json& issue(const std::string& name, std::uint64_t in, std::uint64_t out,
              const std::vector<Rank>& members, const std::string& group = "0") {
    json args{{"Collective name", name},      {"dtype", "Float"},
              {"In msg nelems", in},          {"Out msg nelems", out},
              {"In split size", "[]"},        {"Out split size", "[]"},
              {"Group size", members.size()}, {"External id", events.size()}};
    if (version.has_groups) {
      args["Process Group Name"] = group;
      args["Process Group Description"] = group == "0" ? "default_pg" : "pairs";
      args["Process Group Ranks"] = json(members);
      if (version.ranks_are_text) args["Process Group Ranks"] = json(members).dump();
    }
    if (version.has_numbers) {
      args["Seq"] = events.size();
      args["Is asynchronized op"] = false;
    }
    add("cpu_op", "record_param_comms", now, 10, args);
    now += 110;
    return events.back()["args"];
  }
  void add(const char* category, const std::string& name, double begin, double microseconds,
           const json& args) {
    events.push_back({{"ph", "X"},
                      {"cat", category},
                      {"name", name},
                      {"pid", 7},
                      {"tid", 7},
                      {"ts", begin},
                      {"dur", microseconds},
                      {"args", args}});
  }
  [[nodiscard]] json document() const {
    return {{"schemaVersion", 1},
            {"distributedInfo", {{"backend", "nccl"}, {"rank", rank}, {"world_size", ranks}}},
            {"traceEvents", events}};
  }
};

using Fill = std::function<void(RankTrace&)>;

/// Traces of all ranks, each filled by `fill`.
std::vector<RankTrace> traces(const Version& version, Rank ranks, const Fill& fill) {
  std::vector<RankTrace> made;
  for (Rank rank = 0; rank < ranks; ++rank) {
    made.push_back({.version = version, .rank = rank, .ranks = ranks});
    made.back().add("cpu_op", "aten::mm", 5, 1, json::object());
    fill(made.back());
  }
  return made;
}

const Files& write(Written& written, const std::vector<RankTrace>& traces) {
  for (const RankTrace& one : traces)
    (void)written.add("rank" + std::to_string(one.rank) + ".json", one.document().dump());
  return written.files();
}

std::string refused(const std::vector<RankTrace>& traces) {
  Written written("refused");
  return refusal("kineto", write(written, traces));
}

TEST(Kineto, EveryGroupHasTheBytesOfItsTraceInAnySpelling) {
  for (const Version& version : kVersions) {
    for (const Rank ranks : {1U, 2U, 3U, 5U, 8U}) {
      Written written("bytes");
      const Imported found("kineto",
                           write(written, traces(version, ranks, [&](RankTrace& trace) {
                                   const auto members = all(ranks);
                                   for (int step = 0; step < 3; ++step) {
                                     trace.issue(version.all_reduce, 1000, 1000, members);
                                     trace.issue(version.all_gather, 64, std::uint64_t{64} * ranks,
                                                 members)["dtype"] = "BFloat16";
                                     trace.issue(version.reduce_scatter, std::uint64_t{32} * ranks,
                                                 32, members)["dtype"] = "Half";
                                     trace.issue(version.all_to_all, std::uint64_t{8} * ranks,
                                                 std::uint64_t{8} * ranks, members);
                                     trace.issue("broadcast", 10, 10, members)["dtype"] = "Long";
                                     trace.issue("barrier", 1, 1, members);
                                   }
                                 })));
      const std::uint64_t n = ranks;
      const std::uint64_t expected = 3 * n * (4000 + 128 * n + 64 * n + 32 * n + 80);
      ASSERT_EQ(found.document.bytes.size(), 1U) << version.name;
      EXPECT_EQ(found.document.bytes.begin()->second, expected) << version.name << " " << ranks;
      EXPECT_EQ(found.document.ranks, ranks);
      ASSERT_EQ(found.workload.closed_forms.size(), 1U);
      EXPECT_EQ(found.workload.closed_forms[0].bytes.text, std::to_string(expected));
    }
  }
}

TEST(Kineto, PairsOfOneDescriptionAreInstancesOfAGroup) {
  Written written("pairs");
  const Imported found("kineto", write(written, traces(kVersions[1], 8, [](RankTrace& trace) {
                                         const Rank first = trace.rank / 2 * 2;
                                         const std::vector<Rank> pair{first, first + 1};
                                         trace.issue("allreduce", 100, 100, pair,
                                                     std::to_string(1 + first / 2));
                                         trace.issue("allreduce", 7, 7, all(8));
                                       })));
  EXPECT_EQ(found.document.bytes.at("pairs"), 8U * 400);
  EXPECT_EQ(found.document.bytes.at("default_pg"), 8U * 28);
  const auto pairs = std::ranges::find(found.job.group_names, "pairs");
  ASSERT_NE(pairs, found.job.group_names.end());
  EXPECT_EQ(found.job.groups[static_cast<std::size_t>(pairs - found.job.group_names.begin())]
                .instances.size(),
            4U);
}

/// The matrix i * 10 + j elements from i to j.
void issue_uneven(RankTrace& trace) {
  std::vector<Rank> in;
  std::vector<Rank> out;
  for (Rank other = 0; other < trace.ranks; ++other) {
    in.push_back(trace.rank * 10 + other);
    out.push_back(other * 10 + trace.rank);
  }
  const auto sum = [](const auto& parts) {
    return 4 * std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});  // rows of 4 elements
  };
  json& args = trace.issue("all_to_allv", sum(in), sum(out), all(trace.ranks));
  args["In split size"] = json(in).dump();
  args["Out split size"] = json(out).dump();
}

TEST(Kineto, UnevenPartsOfAnAllToAllAreAMatrix) {
  for (const Rank ranks : {2U, 3U, 5U, 8U}) {
    Written written("uneven");
    const Imported found("kineto", write(written, traces(kVersions[2], ranks, issue_uneven)));
    const auto& matrix = found.workload.classes[0].streams[0].operations[0].matrix;
    ASSERT_EQ(matrix.size(), ranks);
    std::uint64_t sum = 0;
    for (Rank from = 0; from < ranks; ++from) {
      for (Rank to = 0; to < ranks; ++to) {
        EXPECT_EQ(matrix[from][to], (from * 10 + to) * 16U);
        sum += matrix[from][to];
      }
    }
    EXPECT_EQ(found.document.bytes.at("default_pg"), sum);
  }
}

TEST(Kineto, TransfersMeetInBothDirectionsAtOnce) {
  for (const Rank ranks : {2U, 3U, 5U, 8U}) {
    Written written("ring");
    const Imported found("kineto",
                         write(written, traces(kVersions[3], ranks, [&](RankTrace& trace) {
                                 const Rank next = (trace.rank + 1) % ranks;
                                 const Rank before = (trace.rank + ranks - 1) % ranks;
                                 json& sent = trace.issue("send", 50, 50, all(ranks));
                                 sent["Dst Rank"] = next;
                                 sent["Is asynchronized op"] = true;
                                 json& received = trace.issue("recv", 50, 50, all(ranks));
                                 received["Src Rank"] = before;
                                 received["Is asynchronized op"] = true;
                               })));
    std::uint64_t bytes = 0;
    for (const auto& [of, one] : found.document.bytes) bytes += one;
    EXPECT_EQ(bytes, ranks * 200U);
  }
}

/// Microseconds of all computes of a rank.
std::uint64_t compute_us(const Job& job, Rank rank) {
  std::uint64_t sum = 0;
  for (const RankStream& stream : job.streams[rank]) {
    for (const Entry& entry : stream.entries) sum += entry.microseconds;
  }
  return sum;
}

TEST(Kineto, TimeBetweenCollectivesIsCompute) {
  Written written("compute");
  const Imported found("kineto", write(written, traces(kVersions[3], 2, [](RankTrace& trace) {
                                         for (int i = 0; i < 4; ++i)
                                           trace.issue("allreduce", 1, 1, all(2));
                                       })));
  EXPECT_EQ(compute_us(found.job, 0), 300U);  // three gaps of 100
  ASSERT_EQ(found.job.streams[0].size(), 1U);
  EXPECT_EQ(found.job.streams[0][0].entries.size(), 7U);
}

TEST(Kineto, WhatIsWaitedForLaterOverlaps) {
  Written written("async");
  const Imported found("kineto", write(written, traces(kVersions[3], 2, [](RankTrace& trace) {
                                         json& args = trace.issue("allreduce", 1, 1, all(2));
                                         args["Is asynchronized op"] = true;
                                         const json number = args["Seq"];
                                         json& wait = trace.issue("wait", 0, 0, all(2));
                                         wait["Seq"] = number;
                                         trace.issue("allreduce", 2, 2, all(2));
                                       })));
  const auto& streams = found.job.streams[0];
  ASSERT_EQ(streams.size(), 2U);
  EXPECT_EQ(streams[1].name, "of default_pg");
  ASSERT_EQ(streams[1].entries.size(), 2U);
  const auto& compute = found.workload.classes[0].streams[0].operations;
  ASSERT_GE(compute.size(), 4U);
  EXPECT_EQ(compute[1].microseconds.text, "100");
  EXPECT_EQ(compute[2].after, std::vector<std::string>{"all_reduce 4 float of default_pg"});
  EXPECT_EQ(compute_us(found.job, 0), 200U);
}

TEST(Kineto, KernelsSayWhatOverlaps) {
  Written written("kernels");
  const Imported found("kineto", write(written, traces(kVersions[3], 2, [](RankTrace& trace) {
                                         const json args = trace.issue("allreduce", 1, 1, all(2));
                                         trace.add("kernel", "gemm", 2'000'000, 50, json::object());
                                         trace.add("kernel", "ncclDevKernel_AllReduce", 2'000'100,
                                                   500, args);
                                         trace.add("kernel", "gemm", 2'000'150, 70, json::object());
                                         trace.add("kernel", "gemm", 2'000'160, 20,
                                                   json::object());  // on another stream
                                         trace.add("kernel", "gemm", 2'000'650, 30, json::object());
                                       })));
  const auto& compute = found.workload.classes[0].streams[0].operations;
  ASSERT_EQ(compute.size(), 4U);
  EXPECT_EQ(compute[0].microseconds.text, "100");  // before it, idle or not
  EXPECT_EQ(compute[1].microseconds.text, "70");   // meanwhile
  EXPECT_EQ(compute[2].after.size(), 1U);
  EXPECT_EQ(compute[3].microseconds.text, "80");
  EXPECT_EQ(found.workload.classes[0].streams[1].operations[0].after,
            std::vector<std::string>{"before all_reduce 4 float of default_pg"});
}

TEST(Kineto, WhatATraceLeavesOutIsAssumedAloud) {
  Written written("assumed");
  const Imported found("kineto", write(written, traces(kVersions[0], 2, [](RankTrace& trace) {
                                         trace.issue("broadcast", 1, 1, all(2));
                                         trace.issue("allreduce", 1, 1, all(2))["dtype"] = "Short";
                                       })));
  const auto has = [&](const std::string& words) {
    return std::ranges::any_of(found.workload.assumptions, [&](const std::string& one) {
      return one.find(words) != std::string::npos;
    });
  };
  EXPECT_TRUE(has("is the root of broadcast"));
  EXPECT_TRUE(has("Short are combined as half"));
  EXPECT_TRUE(has("Without 'Is asynchronized op'"));
  EXPECT_EQ(found.document.assumptions, found.workload.assumptions);
}

TEST(Kineto, GroupsThatAreCutAreInTheConfiguration) {
  auto made = traces(kVersions[1], 3, [](RankTrace& trace) {
    trace.issue("allreduce", 1, 1, {0, 2}, "5")["Process Group Ranks"] = "[0, ..., 2]";
    if (trace.rank == 1) trace.events = json::array();
  });
  made[1].issue("allreduce", 1, 1, {1}, "6");
  EXPECT_NE(refused(made).find("rank0.json: traceEvents[1] 'record_param_comms' (allreduce) has no "
                               "whole 'Process Group Ranks'"),
            std::string::npos);
  Written written("configured");
  for (const RankTrace& one : made) {
    json document = one.document();
    document["distributedInfo"]["pg_config"] =
        json::array({{{"pg_name", "5"}, {"ranks", {0, 2}}, {"pg_size", 2}}});
    (void)written.add("rank" + std::to_string(one.rank) + ".json", document.dump());
  }
  const Imported found("kineto", written.files());
  EXPECT_EQ(found.job.groups.size(), 1U);
}

TEST(Kineto, WhatIsNotKnownIsRefusedWithItsEvent) {
  const auto expect = [](const Fill& change, const std::string& words) {
    const auto made = traces(kVersions[3], 3, [&](RankTrace& trace) {
      trace.issue("allreduce", 4, 4, all(3));
      trace.issue("all_to_allv", 6, 6, all(3));
      trace.issue("all_gather_single", 4, 12, all(3));
      trace.issue("send", 1, 1, all(3))["Dst Rank"] = 1;
      if (trace.rank != 0) trace.events.erase(4);
      if (trace.rank == 1) trace.issue("recv", 1, 1, all(3))["Src Rank"] = 0;
      change(trace);
    });
    expect_words(refused(made), words);
  };
  const auto arguments = [](std::size_t event, const char* key, const json& value) {
    return [=](RankTrace& trace) {
      if (trace.rank == 0) trace.events[event]["args"][key] = value;
    };
  };
  const auto without = [](std::size_t event, const char* key) {
    return [=](RankTrace& trace) {
      if (trace.rank == 0) trace.events[event]["args"].erase(key);
    };
  };
  const std::string at1 = "rank0.json: traceEvents[1] 'record_param_comms'";
  const std::string at2 = "rank0.json: traceEvents[2] 'record_param_comms'";
  expect([](const RankTrace&) {}, "");
  expect(without(1, "Collective name"), at1 + " has no 'Collective name'");
  expect(arguments(1, "Collective name", "allfetch"), at1 + " is 'allfetch', which is no");
  expect(without(1, "dtype"), at1 + " (allreduce) has no 'dtype'");
  expect(arguments(1, "dtype", "Quad"), at1 + " (allreduce) has dtype 'Quad'");
  expect(without(1, "In msg nelems"), at1 + " (allreduce) has no 'In msg nelems'");
  expect(arguments(1, "In msg nelems", -4), "has no 'In msg nelems'");
  expect(arguments(1, "In msg nelems", json("99999999999999999999")), "has no 'In msg nelems'");
  expect(arguments(1, "Process Group Ranks", json::array({0, 1, 3})), "twice, or not below 3");
  expect(arguments(1, "Process Group Ranks", json::array({0, 1, 1})), "twice, or not below 3");
  expect(arguments(1, "Group size", 4), "has group size 4, and 3 ranks in its group");
  expect(arguments(1, "Process Group Ranks", json::array({1, 2, 0})), "recorded only");
  expect(arguments(2, "In split size", "[1, 2, ...]"),
         at2 + " (all_to_allv) has no whole 'In split");
  expect(arguments(2, "In split size", "[1, 2]"), "does not cut 6 elements for 3 ranks");
  expect(arguments(2, "In split size", "[1, 2, 1]"), "does not cut 6 elements for 3 ranks");
  expect(arguments(2, "In split size", "[1, 2, 3]"), "bytes from member 0, which sends");
  expect(arguments(3, "Out msg nelems", 13), "4 elements in and 13 out of 3 ranks");
  expect(arguments(1, "In msg nelems", 8), "and all_reduce 32 float on rank 0");
  expect(arguments(1, "Collective name", "broadcast"), "and broadcast 16 on rank 0 (");
  expect(without(4, "Dst Rank"), "has no 'Dst Rank' below 3");
  expect(arguments(4, "In msg nelems", 2), "sends 8 bytes from rank 0 to rank 1, and 4 are");
  expect(arguments(4, "Dst Rank", 2), "from rank 0 to rank");
  expect(
      [](RankTrace& trace) {
        if (trace.rank == 0) trace.events[1].erase("ts");
      },
      at1 + " has no 'ts' in microseconds");
  expect(
      [](RankTrace& trace) {
        if (trace.rank == 0) trace.events[1]["dur"] = "long";
      },
      "'dur'");
  expect(
      [](RankTrace& trace) {
        if (trace.rank == 1) trace.events.erase(3);
      },
      "is collective 2 of group 0 on rank 0, and rank 1 recorded only 2");
  expect(
      [](RankTrace& trace) {
        if (trace.rank == 2) trace.events = json::array();
      },
      "rank2.json: has no record_param_comms event");
}

TEST(Kineto, FilesThatAreNoTracesAreRefused) {
  const auto made =
      traces(kVersions[3], 2, [](RankTrace& trace) { trace.issue("allreduce", 4, 4, all(2)); });
  const auto expect = [&](const std::string& second, const std::string& words) {
    Written written("files");
    (void)written.add("rank0.json", made[0].document().dump());
    if (!second.empty()) (void)written.add("rank1.json", second);
    expect_words(refusal("kineto", written.files()), words);
  };
  const std::string text = made[1].document().dump();
  json other = made[1].document();
  expect(text, "");
  expect("", "the trace of rank 1 of 2 is missing: there are 1 file");
  expect(made[0].document().dump(), "rank1.json: is of rank 0, as ");
  expect(text.substr(0, text.size() / 2), "rank1.json: is no JSON");
  expect("[]", "rank1.json: is no JSON of PyTorch's profiler: 'traceEvents' is missing");
  expect(std::string(1000, '['), "nested too deeply");
  other["distributedInfo"]["world_size"] = 3;
  expect(other.dump(), "is of a job of 3 ranks");
  other.erase("distributedInfo");
  expect(other.dump(), "has no rank and world_size");
}

TEST(Kineto, PackedFilesAreReadAndCutOnesRefused) {
  const auto made = traces(kVersions[3], 1, [](RankTrace& trace) {
    for (int i = 0; i < 50; ++i) trace.issue("allreduce", 4, 4, {0});
  });
  Written written("packed");
  const std::string path = written.add("rank0.json.gz", "");
  const std::string text = made[0].document().dump();
  gzFile packed = gzopen(path.c_str(), "wb");
  ASSERT_EQ(gzwrite(packed, text.data(), static_cast<unsigned>(text.size())),
            static_cast<int>(text.size()));
  ASSERT_EQ(gzclose(packed), Z_OK);
  EXPECT_EQ(Imported("kineto", written.files()).document.bytes.at("default_pg"), 50U * 16);
  const auto size = std::filesystem::file_size(path);
  for (const std::uintmax_t kept : {size - 1, size / 2, size / 8}) {
    std::filesystem::resize_file(path, kept);
    const std::string found = refusal("kineto", written.files());
    EXPECT_NE(found.find("rank0.json.gz: is cut or damaged"), std::string::npos) << found;
  }
}

}  // namespace
}  // namespace railgauge::workload::traces
