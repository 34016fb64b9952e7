#include "results/host.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

TEST(Host, IsTheSameAfterJson) {
  const nlohmann::ordered_json json = ok_document().hosts[1];
  EXPECT_EQ(json.dump(),
            R"({"name":"host1","kernel":"6.1.0-42-amd64","machine":"x86_64",)"
            R"("processor":"AMD EPYC 7763 64-Core Processor","libibverbs":"1.14.44.0",)"
            R"("mpi":"Open MPI v4.1.4"})");
  EXPECT_EQ(nlohmann::ordered_json(json.get<Host>()), json);
}

}  // namespace
}  // namespace railgauge::results
