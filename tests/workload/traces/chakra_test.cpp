#include <gtest/gtest.h>

#include <functional>

#include "workload/traces/written.hpp"

namespace railgauge::workload::traces {
namespace {

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7U) bytes += static_cast<char>(value | 0x80U);
  return bytes + static_cast<char>(value);
}

std::string part(const std::string& content) {
  return varint(content.size()) + content;
}

std::string field(unsigned number, std::uint64_t value) {
  return varint(number << 3U) + varint(value);
}
std::string field(unsigned number, const std::string& content) {
  return varint(number << 3U | 2U) + part(content);
}

enum Type { compute = 4, send = 5, receive = 6, collective = 7 };
constexpr unsigned kInt64 = 9;
constexpr unsigned kUint32 = 11;

/// Nodes of a rank.
struct NodeTrace {
  std::string text = part(field(1, std::string("0.0.4")));
  std::uint64_t id = 0;

  std::uint64_t add(Type type, const std::string& fields,
                    const std::vector<std::uint64_t>& after = {}) {
    std::string packed;
    for (const std::uint64_t one : after) packed += varint(one);
    ++id;
    const std::string node = field(1, id) + field(2, "n" + std::to_string(id)) +
                             field(3, std::uint64_t{type}) +
                             (after.empty() ? "" : field(5, packed)) + fields;
    text += part(node);
    return id;
  }
};

std::string attribute(const std::string& name, std::uint64_t value, unsigned type = kInt64) {
  return field(10, field(1, name) + field(type, value));
}
std::string attribute(const std::string& name, const std::string& value) {
  return field(10, field(1, name) + field(29, value));
}

std::string of(std::uint64_t type, std::uint64_t bytes, const std::string& group = "") {
  return attribute("comm_type", type) + attribute("comm_size", bytes) +
         (group.empty() ? "" : attribute("pg_name", group));
}

using FillNodes = std::function<void(NodeTrace&, Rank)>;

Files write_nodes(Written& written, Rank ranks, const FillNodes& fill) {
  for (Rank rank = 0; rank < ranks; ++rank) {
    NodeTrace trace;
    fill(trace, rank);
    (void)written.add("job." + std::to_string(rank) + ".et", trace.text);
  }
  return written.files();
}

TEST(Chakra, GroupsHaveTheBytesOfTheirNodes) {
  for (const Rank ranks : {1U, 2U, 3U, 5U, 8U}) {
    Written written("chakra");
    const Imported found("chakra", write_nodes(written, ranks, [&](NodeTrace& trace, Rank) {
                           const auto first = trace.add(compute, field(7, 120));
                           const auto sum = trace.add(collective, of(0, 4096), {first});
                           (void)trace.add(collective, of(2, 100), {sum});  // all_gather
                           (void)trace.add(collective, of(7, std::uint64_t{64} * ranks, "x"),
                                           {sum});  // reduce_scatter
                           (void)trace.add(collective, of(9, 0), {sum});
                           (void)trace.add(compute, field(7, 30), {first});
                         }));
    const std::uint64_t n = ranks;
    EXPECT_EQ(found.document.bytes.at("all"), n * (4096 + 100 * n));
    EXPECT_EQ(found.document.bytes.at("group x"), n * 64 * n);
    EXPECT_EQ(found.workload.closed_forms.size(), 2U);
  }
}

TEST(Chakra, WhatDependsOnAnExchangeWaitsForIt) {
  Written written("order");
  const Imported found("chakra", write_nodes(written, 2, [](NodeTrace& trace, Rank) {
                         const auto first = trace.add(compute, field(7, 10));
                         const auto sum = trace.add(collective, of(0, 8), {first});
                         const auto meanwhile = trace.add(compute, field(7, 20), {first});
                         (void)trace.add(compute, field(7, 40), {sum, meanwhile});
                       }));
  const auto& operations = found.workload.classes[0].streams[0].operations;
  ASSERT_EQ(operations.size(), 4U);
  EXPECT_EQ(operations[0].microseconds.text, "10");
  EXPECT_EQ(operations[1].microseconds.text, "20");
  EXPECT_EQ(operations[2].after.size(), 1U);
  EXPECT_EQ(operations[3].microseconds.text, "40");
}

TEST(Chakra, GroupsComeFromAFileOrFromWhoNamesThem) {
  const FillNodes halves = [](NodeTrace& trace, Rank rank) {
    (void)trace.add(collective, of(0, 8, rank < 2 ? "a" : "b"));
  };
  Written written("groups");
  const Files traces = write_nodes(written, 4, halves);
  const Imported found("chakra", traces);
  EXPECT_EQ(found.document.bytes.at("group a"), 16U);
  EXPECT_NE(found.workload.assumptions.front().find("A rank issues"), std::string::npos);
  EXPECT_EQ(std::ranges::count(found.workload.assumptions,
                               "Ranks of group b are those whose traces name it."),
            1);
  (void)written.add("groups.json", R"({"a": [0, 1], "b": [2, 3], "c": [0]})");
  const Imported told("chakra", written.files());
  EXPECT_EQ(std::ranges::count(told.workload.assumptions,
                               "Ranks of group b are those whose traces name it."),
            0);
  (void)written.add("more.json", R"({"a": [0, 1, 2]})");
  expect_words(refusal("chakra", written.files()), "and rank 2 recorded only 0");
}

TEST(Chakra, TransfersMeet) {
  Written written("transfers");
  const Imported found("chakra", write_nodes(written, 3, [](NodeTrace& trace, Rank rank) {
                         if (rank > 0)
                           (void)trace.add(receive, attribute("comm_size", 500) +
                                                        attribute("comm_src", rank - 1, kUint32));
                         if (rank < 2)
                           (void)trace.add(send, attribute("comm_size", 500) +
                                                     attribute("comm_dst", rank + 1, kUint32));
                       }));
  EXPECT_EQ(found.document.bytes.at("send 500 from 0 to 1"), 500U);
  EXPECT_EQ(found.document.bytes.at("send 500 from 1 to 2"), 500U);
}

TEST(Chakra, WhatIsNotKnownIsRefusedWithItsNode) {
  const auto expect = [](const FillNodes& fill, const std::string& words) {
    Written written("refused");
    expect_words(refusal("chakra", write_nodes(written, 2, fill)), words);
  };
  const auto node = [](Type type, const std::string& fields) {
    return [=](NodeTrace& trace, Rank) { (void)trace.add(type, fields); };
  };
  const std::string some = field(
      10, field(1, std::string("involved_dim")) + field(28, field(1, std::string("\x01\x00", 2))));
  expect(node(collective, of(0, 8)), "");
  expect(node(collective, attribute("comm_size", 8)), "job.0.et: node 1 'n1' has no comm_type");
  expect(node(collective, attribute("comm_type", 0)), "node 1 'n1' has no comm_size");
  expect(node(collective, of(12, 8)), "has comm_type 12");
  expect(node(collective, of(6, 7)), "7, which is no multiple of 2 ranks");
  expect(node(collective, of(0, 8) + some), "its ranks are not known");
  expect(node(collective, of(0, ~std::uint64_t{0})), "has comm_size 18446744073709551615");
  expect(node(send, attribute("comm_size", 8)), "has no comm_dst");
  expect(node(send, attribute("comm_size", 8) + attribute("comm_dst", 2)), "has peer 2");
  expect(node(static_cast<Type>(0), ""), "has a type that Chakra 1.0 has not");
  expect([](NodeTrace& trace, Rank) { (void)trace.add(compute, "", {7}); },
         "node 7, which is not there");
  expect([](NodeTrace& trace, Rank) { (void)trace.add(compute, "", {1}); }, "in a circle");
  expect([](NodeTrace& trace, Rank rank) { (void)trace.add(collective, of(0, 8 + 8 * rank)); },
         "job.1.et: node 1 'n1' is collective 0 of group all, all_reduce 16");
  expect(
      [](NodeTrace& trace, Rank) {
        (void)trace.add(collective, of(0, 8));
        trace.text.pop_back();
      },
      "job.0.et: is no execution trace of Chakra: after 0 nodes, it ends within a message");
}

TEST(Chakra, FilesHaveARankEach) {
  Written written("files");
  (void)written.add("job.et", "");
  expect_words(refusal("chakra", written.files()), "has no rank in its name");
  Written gap("gap");
  (void)gap.add("job.0.et", NodeTrace().text);
  (void)gap.add("job.2.et", NodeTrace().text);
  expect_words(refusal("chakra", gap.files()), "the trace of rank 1 is missing");
  (void)gap.add("other.2.et", NodeTrace().text);
  expect_words(refusal("chakra", gap.files()), "other.2.et: is of rank 2, as ");
}

}  // namespace
}  // namespace railgauge::workload::traces
