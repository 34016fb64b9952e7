#include "verdict/logs/formats.hpp"

#include <gtest/gtest.h>

#include <string>

namespace railgauge::verdict {
namespace {

const std::string kFirst =
    R"({"#wrong":"0","algBw":0.25,"busBw":0.375,"gpus":4,"inPlace":0,"name":"AllReduce",)"
    R"("redop":"sum","size":1024,"time":4.096,"type":"float"})";
const std::string kSecond =
    R"({"#wrong":"0","algBw":0.5,"busBw":0.75,"gpus":4,"inPlace":1,"name":"AllReduce",)"
    R"("redop":"sum","size":1024,"time":2.048,"type":"float"})";
const std::string kCsv =
    "numCycle, name, nodes, ranks, ranksPerNode, gpusPerRank, size, type, redop, inPlace, time, "
    "algBw, "
    "busBw, #wrong\n"
    "0, \"AllReduce\", 2, 4, 2, 1, 1024, \"float\", \"sum\", 0, 4.096, 0.25, 0.375, 0\n"
    "0, \"AllReduce\", 2, 4, 2, 1, 1024, \"float\", \"sum\", 1, 2.048, 0.5, 0.75, 0\n";

void expect_both(const std::string& text) {
  ASSERT_TRUE(kRccl.recognises(text));
  const LogContent content = kRccl.read(text);
  EXPECT_TRUE(content.complaints.empty()) << content.complaints[0].text;
  ASSERT_EQ(content.runs.size(), 1u);
  EXPECT_EQ(content.runs[0].collective, "all_reduce");
  EXPECT_EQ(content.runs[0].ranks, 4);
  ASSERT_EQ(content.runs[0].points.size(), 2u);
  EXPECT_EQ(content.runs[0].points[0].buffers, BufferMode::out_of_place);
  EXPECT_EQ(content.runs[0].points[0].time_us, 4.096);
  EXPECT_EQ(content.runs[0].points[1].buffers, BufferMode::in_place);
  EXPECT_EQ(content.runs[0].points[1].busbw_gigabytes_per_second, 0.75);
  EXPECT_EQ(content.runs[0].points[1].op, "sum");
}

TEST(Rccl, IsReadInAllItsForms) {
  expect_both(kFirst + "\n" + kSecond + "\n");
  expect_both("[" + kFirst + ",\n" + kSecond + "]\n");
  expect_both(kCsv);
}

/// One host, 8 processes of one GPU: busbw is 1.75 times algbw.
TEST(Rccl, IsReadUnderAHeadThatLacksAColumn) {
  const LogContent content = kRccl.read(
      "numCycle,collective,ranks,rankspernode,gpusperrank,size,type,redop,inplace,time,algbw,busbw,"
      "#wrong\n"
      "0,\"AllReduce\",1,8,8,1,1048576,\"float\",\"sum\",0,50,20.97,36.7,\"0\"\n"
      "0,\"AllReduce\",1,8,8,1,1048576,\"float\",\"sum\",1,64,16.38,28.67,\"0\"\n");
  EXPECT_TRUE(content.complaints.empty());
  ASSERT_EQ(content.runs.size(), 1u);
  EXPECT_EQ(content.runs[0].nodes, 1);
  EXPECT_EQ(content.runs[0].ranks, 8);
  ASSERT_EQ(content.runs[0].points.size(), 2u);
  EXPECT_EQ(content.runs[0].points[0].size_bytes, 1048576u);
  EXPECT_EQ(content.runs[0].points[1].busbw_gigabytes_per_second, 28.67);
}

TEST(Rccl, CountsTheGpusOfEveryProcess) {
  const LogContent content = kRccl.read(
      R"([{"name":"AllReduce","nodes":2,"ranks":2,"ranksPerNode":1,"gpusPerRank":8,"size":1024,)"
      R"("type":"float","redop":"sum","inPlace":0,"time":10.0,"algBw":0.1,"busBw":0.19,)"
      R"("numCycle":0,"#wrong":"0"}])");
  ASSERT_EQ(content.runs.size(), 1u);
  EXPECT_EQ(content.runs[0].ranks, 16);
  EXPECT_EQ(content.runs[0].nodes, 2);
}

TEST(Rccl, ReportsRecordsThatItCannotRead) {
  const LogContent csv = kRccl.read(kCsv + "0, AllReduce, 2\n" +
                                    "0, AllReduce, 2, 4, 2, 1, 2048, float, sum, 0, 4, 1, 1, 3\n");
  ASSERT_EQ(csv.complaints.size(), 2u);
  EXPECT_EQ(csv.complaints[0].line, 4u);
  EXPECT_EQ(csv.complaints[0].text, "a record of 3 columns; the head has 14");
  EXPECT_EQ(csv.complaints[1].text, "3 elements are wrong");
  const LogContent json = kRccl.read(kFirst + "\n{\"size\n");
  ASSERT_EQ(json.complaints.size(), 1u);
  EXPECT_EQ(json.complaints[0].line, 2u);
}

}  // namespace
}  // namespace railgauge::verdict
