#pragma once

#include <string>
#include <vector>

#include "workload/job.hpp"
#include "workload/workload.hpp"

namespace railgauge::workload {

inline const std::vector<Rank> kRanks{1, 2, 3, 5, 6, 7, 8, 12, 13};

/// A workload of one class of all ranks; `streams` and `more` are JSON.
inline std::string document(const std::string& streams, const std::string& more = "") {
  return R"({"schema": "railgauge/workload/1", "name": "test",)" + more +
         "\n\"classes\": [{\"name\": \"all\", \"streams\": [" + streams + "]}]}";
}

inline Workload read(const std::string& text) {
  return workload_in(text, "test.json");
}

/// What is said instead; empty for nothing.
template <class Function>
std::string error_of(const Function& function) {
  try {
    function();
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

}  // namespace railgauge::workload
