#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::fabric {

/// One of the cables between two switches of a railgauge/fabric/1; switches by their addresses.
struct SwitchLink {
  std::string lower{};  ///< the one of the lower tier
  std::string upper{};
  double gbps = 0;
};

/// The switches that a railgauge/fabric/1 lists, as traces know them: by address.
struct Description {
  std::map<std::string, std::string> names{};  ///< by address
  std::vector<SwitchLink> links{};             ///< links of hosts are left out
};

/// Throws std::runtime_error, one sentence, for a text that is no railgauge/fabric/1.
[[nodiscard]] Description description_of(std::string_view text);

}  // namespace railgauge::fabric
