#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "verdict/run.hpp"

namespace railgauge::verdict {

/// What the lines under "Using devices" of a table say of its ranks.
class NcclDevices {
 public:
  /// "#  Rank  0 Group  0 Pid 42 on host device  0 [...] ...", or any other line. Whether it was
  /// one.
  bool read(std::string_view line);

  /// Sets ranks: they are numbered from 0. Sets nodes if all ranks are listed; NICs and line rate,
  /// which railgauge's own table has, if they are the same on all hosts.
  void tell(Run& run) const;

 private:
  std::map<int, std::string> host_of_rank_;
  std::map<std::string, std::set<std::string>> nics_;  // their addresses, by host
  std::set<double> line_rates_;
};

}  // namespace railgauge::verdict
