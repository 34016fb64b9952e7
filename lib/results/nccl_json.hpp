#pragma once

#include <nlohmann/json_fwd.hpp>

#include "results/document.hpp"

namespace railgauge::results {

/// With -I 1: adds to a document what nccl-tests' own -J has of the same run, under its names and
/// in its units (version, config and results, of file version 3; src/util.cu of 2.19), with the
/// time of every iteration on every rank. Its tools/analyze_perf_json.py reads the document because
/// of it. Adds nothing to a document whose measurements have no such times.
void add_nccl_json(nlohmann::ordered_json& json, const Document& document);

}  // namespace railgauge::results
