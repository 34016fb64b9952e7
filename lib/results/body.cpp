#include "results/body.hpp"

namespace railgauge::results {

std::string_view kind_name(const Body& body) {
  return std::visit(ForKind{[](const CollectiveBody&) { return "collective"; },
                            [](const ReachabilityBody&) { return "reachability"; }},
                    body);
}

std::size_t row_count(const Body& body) {
  return std::visit([](const auto& held) { return held.rows.size(); }, body);
}

}  // namespace railgauge::results
