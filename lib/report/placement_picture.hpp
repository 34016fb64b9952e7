#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace railgauge::report {

using Json = nlohmann::ordered_json;

/// Hosts as boxes, in them their NUMA nodes, in these the ranks that ran there and the NICs that
/// are attached: HTML, which a page's style draws. Nothing for a document without ranks.
std::string placement_picture(const Json& document);

}  // namespace railgauge::report
