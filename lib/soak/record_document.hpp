#pragma once

#include "results/document.hpp"
#include "soak/record.hpp"

namespace railgauge::soak {

/// A record as the result document that its run wrote, or would have written by now: judged again
/// window by window, with the events that were seen then. Its counters are what moved in all
/// windows, from 0 on. A record without an end has no exit code: it runs, or its run was killed.
[[nodiscard]] results::Document document_of(const Record& record, const std::string& path);

}  // namespace railgauge::soak
