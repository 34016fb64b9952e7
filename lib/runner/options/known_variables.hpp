#pragma once

#include <string>
#include <vector>

namespace railgauge::runner {

/// Variables called RAILGAUGE_... that are no option of some program and yet mean something: those
/// of the launchers and of the laboratory, and options of other programs of ours, for which one
/// environment serves as well.
[[nodiscard]] std::vector<std::string> variables_of_others();

}  // namespace railgauge::runner
