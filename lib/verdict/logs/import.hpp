#pragma once

#include <stdexcept>
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

/// A log without any figures that can be read, and what was seen in it.
class NoFigures : public std::invalid_argument {
 public:
  explicit NoFigures(std::vector<Complaint> complaints);
  [[nodiscard]] const std::vector<Complaint>& complaints() const { return complaints_; }

 private:
  std::vector<Complaint> complaints_;
};

/// Reads a log of a format; of "auto", of the one that recognises it. What launchers and collectors
/// of logs put around its lines does not matter (transcript.hpp). `stated` fills in what the log
/// leaves out; an unknown format, and a contradiction between the two throw std::invalid_argument,
/// a log without any figures NoFigures. With "auto", a table of another format ends the log as cut.
/// The reference has no name, system or source yet.
Imported import_log(std::string_view text, const std::string& format, const Stated& stated);

}  // namespace railgauge::verdict
