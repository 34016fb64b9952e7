#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workload/workload.hpp"

namespace railgauge::workload {

/// Names of the workloads that can be made: dense, moe, kv, checkpoint, dataset, reshard.
[[nodiscard]] std::vector<std::string> kinds();
/// Names of models, by which a workload is given its sizes.
[[nodiscard]] std::vector<std::string> models();

/// Throws std::invalid_argument for a kind or a model that there is none of.
[[nodiscard]] Workload make(const std::string& kind, const std::string& model);

/// The kind of that name, as a document; empty if it is none: then it is the name of a file.
[[nodiscard]] std::string text_of_kind(const std::string& name);

// The kinds, as documents: each is a page that opens with what it leaves out, its formulas and
// their sources. Their closed forms are those formulas, and are not made of their operations.
[[nodiscard]] std::string_view dense_text();       // dense.cpp: TP x PP x DP training
[[nodiscard]] std::string_view moe_text();         // moe.cpp: expert parallelism
[[nodiscard]] std::string_view kv_text();          // storage.cpp: prefill to decode
[[nodiscard]] std::string_view checkpoint_text();  // storage.cpp: writers to storage
[[nodiscard]] std::string_view dataset_text();     // storage.cpp: storage to readers
[[nodiscard]] std::string_view reshard_text();     // reshard.cpp: trainers to generators

}  // namespace railgauge::workload
