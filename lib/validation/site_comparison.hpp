#pragma once

#include <filesystem>
#include <vector>

#include "verdict/judgement.hpp"
#include "verdict/terms.hpp"

namespace railgauge::validation {

/// Whether it is the folder of a validation that has a report.
[[nodiscard]] bool is_site(const std::filesystem::path& folder);

/// The documents of its stages, in their order. Throws as compared_sites() does.
[[nodiscard]] std::vector<std::filesystem::path> documents_in(const std::filesystem::path& folder);

/// What became of a fabric between two validations. First its causes: what is new fails; what no
/// stage could see again is open; what is repaired, or as before, is a note. Then each stage's
/// document, with that of the earlier stage of the same name as its baseline. Throws
/// std::runtime_error, which names the file, if a report or document cannot be read.
[[nodiscard]] std::vector<verdict::Judgement> compared_sites(const std::filesystem::path& before,
                                                             const std::filesystem::path& after,
                                                             const verdict::Terms& terms);

}  // namespace railgauge::validation
