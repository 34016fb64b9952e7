#include "verdict/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "schedule/collective.hpp"
#include "tree.hpp"
#include "verdict/library.hpp"

namespace railgauge::verdict {
namespace {

using Json = nlohmann::ordered_json;

const Library kShipped{in_tree("results-schema")};

TEST(Reference, IsReadAsItWasWritten) {
  for (const std::string& name : kShipped.references()) {
    const Json written = read_json(in_tree("results-schema/reference/") + name + ".json");
    EXPECT_EQ(Json(reference_of(written)), written) << name;
  }
}

TEST(Reference, IsCalledLikeItsFile) {
  for (const std::string& name : kShipped.references()) {
    EXPECT_EQ(kShipped.reference(name).name, name);
  }
}

/// Printed with two decimals; 1.2 % is what the sources' rounding of times adds to that.
void expect_near(double left, double right, const std::string& where) {
  EXPECT_LE(std::abs(left - right), 0.06 + 0.012 * right) << where;
}

TEST(Reference, AgreesWithTheFormulasOfItsColumns) {
  int checked = 0;
  for (const std::string& name : kShipped.references()) {
    for (const verdict::Run& run : kShipped.reference(name).runs) {
      const auto collective = schedule::collective(run.collective);
      ASSERT_TRUE(collective) << name << ": " << run.collective;
      for (const Point& point : run.points) {
        const auto& [size, time, algbw] =
            std::tie(point.size_bytes, point.time_us, point.algbw_gigabytes_per_second);
        if (size && time && algbw) {
          expect_near(*algbw, static_cast<double>(*size) / *time / 1e3, name);
          ++checked;
        }
        if (algbw && run.ranks) {
          expect_near(*point.busbw_gigabytes_per_second,
                      *algbw * schedule::bus_factor(*collective, *run.ranks), name);
        }
      }
    }
  }
  EXPECT_GT(checked, 4000);
}

TEST(Reference, GivesEveryRunTheLineRateOfItsSystem) {
  const Reference reference = kShipped.reference("deepops-dgx1-v100-2x100g-roce");
  ASSERT_EQ(reference.runs.size(), 1u);
  EXPECT_EQ(reference.runs[0].line_rate_gigabits_per_second, 100);
  EXPECT_EQ(reference.runs[0].nics_per_node, 2);
  EXPECT_EQ(reference.runs[0].points.size(), 58u);
}

TEST(Reference, NamesTheFieldThatIsWrong) {
  Json json = kShipped.reference("nebius-h100-ib");
  const auto refused = [](const Json& wrong, const std::string& why) {
    try {
      reference_of(wrong);
      ADD_FAILURE() << why;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  Json changed = json;
  changed["schema"] = "railgauge/result/3";
  refused(changed, "this railgauge reads railgauge/reference/1");
  changed = json;
  changed["runs"][0]["points"][0]["time_us"] = "fast";
  refused(changed, "'runs[0].points[0].time_us' is of the wrong type: \"fast\"");
  changed = json;
  changed["runs"][0]["points"][0]["busbw_gigabytes_per_second"] = -1;
  refused(changed, "'runs[0].points[0]' has a bandwidth below zero");
  changed = json;
  changed["runs"] = 1;
  refused(changed, "'runs' is of the wrong type: 1");
  changed = json;
  changed.erase("name");
  refused(changed, "'name' is missing");
  changed = json;
  changed["runs"][0]["points"][0]["placement"] = "upside down";
  refused(changed, "'runs[0].points[0].placement' cannot be 'upside down'");
}

TEST(Reference, RefusesNumbersThatCannotBe) {
  for (const char* field : {"nodes", "ranks", "nics_per_node"}) {
    Json json;
    to_json(json, verdict::Reference{.name = "r", .runs = {{.name = "1"}}});
    json["runs"][0][field] = 0;
    try {
      reference_of(json);
      ADD_FAILURE() << field;
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()),
                "the field 'runs[0]." + std::string(field) + "' is 0: it has to be above zero");
    }
  }
}

}  // namespace
}  // namespace railgauge::verdict
