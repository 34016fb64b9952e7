#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "verdict/logs/log.hpp"

namespace railgauge::verdict {

/// What a log became.
struct Imported {
  Reference reference{};
  std::vector<Complaint> complaints{};
};

/// Names of the formats that can be read, "nccl-table" first.
std::vector<std::string> log_formats();

/// Reads a log of a format; of "auto", of the one that recognises it. `stated` fills in what the
/// log leaves out; a log without any figures, an unknown format, and a contradiction between the
/// two throw std::invalid_argument. The reference has no name, system or source yet.
Imported import_log(std::string_view text, const std::string& format, const Stated& stated);

}  // namespace railgauge::verdict
