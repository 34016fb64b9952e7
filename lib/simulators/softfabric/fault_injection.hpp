#pragma once

#include <string_view>

#include "softfabric/model.hpp"

namespace railgauge::softfabric {

/// Adds faults, in words (faults.hpp), to those of a link ("leaf1-0:spine2"), the link of a port
/// ("host3.rail1") or all links of a switch; `direction` is "a-to-b", "b-to-a" or "both". Throws
/// std::runtime_error with a sentence; then nothing has changed.
void plant(Model& model, std::string_view at, std::string_view direction, std::string_view words);

/// Undoes all faults there; everywhere if `at` is empty.
void clear_faults(Model& model, std::string_view at);

/// The links that a link, port or switch stands for; all if it is empty. Throws std::runtime_error.
std::vector<std::size_t> links_at(const Model& model, std::string_view at);

/// A switch's place in the description. Throws std::runtime_error.
std::size_t switch_called(const Model& model, std::string_view name);

}  // namespace railgauge::softfabric
