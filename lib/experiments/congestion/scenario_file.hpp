#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "congestion/scenario.hpp"
#include "json/members.hpp"

namespace railgauge::runner {

/// A scenario that its user writes (railgauge/scenario/1): flows between ranks, step by step.
struct ScenarioFile {
  struct Flow {
    std::size_t from = 0;  ///< ranks
    std::size_t to = 0;
    double load = 0;  ///< in parts of the line rate; 0: as fast as it can
    bool victim = false;
    bool other_class = false;
    double begin = 0;            ///< after this part of the step's time
    std::uint64_t messages = 0;  ///< all at once; 0: for the step's time

    template <class Self, class Visit>
    static void fields(Self& self, Visit& visit) {
      visit.strict();
      visit.required("from", self.from);
      visit.required("to", self.to);
      visit.within("load", self.load, 0, 1);
      visit("victim", self.victim);
      visit("other_class", self.other_class);
      visit.within("begin", self.begin, 0, 1);
      visit.within("messages", self.messages, 0, kMostMessages);
    }
  };
  struct Step {
    std::string name{};
    double qps = 1;  ///< queue pairs of each flow
    bool spread = false;
    std::vector<Flow> flows{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit& visit) {
      visit.strict();
      visit.said("name", self.name, "name the step");
      visit.within("qps", self.qps, 1, kMostQueuePairs);
      visit("spread", self.spread);
      visit.required("flows", self.flows);
    }
  };
  static constexpr double kMostMessages = 256;
  static constexpr double kMostQueuePairs = 32;

  std::string name{};
  std::string judged_as{};  ///< the word of a scenario
  std::vector<Step> steps{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.strict();
    visit.schema("railgauge/scenario/1");
    visit.said("name", self.name, "name the scenario");
    visit.required("judged_as", self.judged_as);
    visit.required("steps", self.steps);
  }
};

/// Its steps, for these NICs, one of each rank. `text`: of the file of that name. Throws
/// std::invalid_argument, a sentence that names file and field, for what cannot be run.
[[nodiscard]] std::vector<congestion::PlannedStep> steps_of_file(const std::string& text,
                                                                 const std::string& file,
                                                                 std::span<const std::size_t> nics);

}  // namespace railgauge::runner
