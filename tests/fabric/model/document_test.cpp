#include "fabric/document.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "fabric/design.hpp"
#include "fabric/sizing.hpp"

namespace railgauge::fabric {
namespace {

std::string why_not(const nlohmann::ordered_json& document) {
  try {
    static_cast<void>(fabric_of(document));
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Document, OfADesignIsReadBack) {
  for (const std::string& generator : generators()) {
    Plan plan;
    plan.request = {.generator = generator, .hosts = 4096, .nics = 2, .k = 8};
    const Design design = designed(plan);
    EXPECT_EQ(fabric_of(as_json(design)), design.fabric) << generator;
  }
}

TEST(Document, OfLinksIsReadBackIfItIsRegular) {
  for (const std::string generator : {"rail-optimised", "rail-only", "clos-2"}) {
    const Fabric made =
        sized(
            {.generator = generator, .hosts = 24, .nics = 2, .leaf = {8, 400}, .spine = {32, 400}})
            .fabric;
    EXPECT_EQ(fabric_of(listed(made)), made) << generator;
  }
}

TEST(Document, NamesTheNodeThatIsNotRegular) {
  auto document = listed(sized({.hosts = 16, .nics = 2, .leaf = {8, 400}}).fabric);
  document["links"].erase(document["links"].size() - 1);
  EXPECT_EQ(why_not(document),
            "this railgauge/fabric/1 is not a regular fabric of two tiers: leaf1-3 differs from "
            "the first leaf in its links");
}

TEST(Document, OfAnotherSchemaIsRefused) {
  EXPECT_EQ(why_not({{"schema", "railgauge/result/3"}}),
            "the field 'schema' is 'railgauge/result/3'; this railgauge reads railgauge/design/1 "
            "or railgauge/fabric/1");
  EXPECT_EQ(why_not({{"schema", "railgauge/design/1"}}), "the field 'fabric' is missing");
}

TEST(Document, OfManyHostsHasParametersOnly) {
  EXPECT_THROW(static_cast<void>(listed(sized({.hosts = 255}).fabric)), std::invalid_argument);
}

}  // namespace
}  // namespace railgauge::fabric
