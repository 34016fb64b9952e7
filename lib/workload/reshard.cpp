// Weights from trainers to generators of reinforcement learning, which shard them differently.
//
// M trainers hold W parameters in M equal pieces, one after the other, as FSDP's flat shards; N
// generators hold them in pieces of tensor parallel groups of `tp`, of which each has all. So
// trainer i sends generator j what pieces i of M and j mod tp of tp have in common: Sheng et al.,
// "HybridFlow", EuroSys'25, arXiv 2409.19256, section 5 (resharding between training and
// generation), on ranks of their own rather than in place; NCCL's contrib nccl_m2n moves the same.
// In bfloat16; pieces in common add up to W for each group, whatever M and tp are: 2 * W * N / tp
// bytes of all ranks in a step. Taken as flat pieces: a tensor's layout is left out, and so are
// rollouts on their way back, which are small. Both sides compute at the same time, trainers on the
// rollouts of the step before; the times are assumptions.

#include "workload/kinds.hpp"

namespace railgauge::workload {

std::string_view reshard_text() {
  return R"json({
  "schema": "railgauge/workload/1",
  "name": "reshard",
  "description": "New weights from trainers to generators of reinforcement learning, which shard them differently. Left out: tensors' layout, rollouts.",
  "sources": ["arXiv 2409.19256 (HybridFlow)", "NCCL contrib nccl_m2n"],
  "steps": 10,
  "parameters": [
    {"name": "trainers", "value": "ceil(ranks, 2)", "about": "ranks, the first ones"},
    {"name": "generators", "value": "ranks - trainers", "about": "ranks"},
    {"name": "tp", "value": "max(generators, 1)", "about": "generators that have all weights together"},
    {"name": "model", "value": 8000, "about": "millions of parameters"},
    {"name": "train_us", "value": 1000000, "about": "of a step"},
    {"name": "generate_us", "value": 1000000, "about": "of a step's rollouts"},
    {"name": "weights", "value": "model * 1000000"}
  ],
  "conditions": [
    {"that": "trainers > 0 && generators > 0 && trainers + generators == ranks", "otherwise": "set trainers and generators so that their sum is the number of ranks, at least one of each"},
    {"that": "tp > 0 && generators % tp == 0", "otherwise": "set tp to a divisor of generators"}
  ],
  "groups": [
    {"name": "all", "size": "ranks"}
  ],
  "classes": [
    {"name": "trainer", "when": "rank < trainers", "streams": [
      {"name": "step", "operations": [
        {"name": "train", "kind": "compute", "microseconds": "train_us"},
        {"name": "weights", "kind": "collective", "type": "alltoallv", "group": "all", "bytes": "from < trainers && to >= trainers ? 2 * max(0, min((from + 1) * weights / trainers, ((to - trainers) % tp + 1) * weights / tp) - max(from * weights / trainers, (to - trainers) % tp * weights / tp)) : 0"}
      ]}
    ]},
    {"name": "generator", "streams": [
      {"name": "step", "operations": [
        {"name": "generate", "kind": "compute", "microseconds": "generate_us"},
        {"name": "weights", "kind": "collective", "type": "alltoallv", "group": "all", "bytes": "from < trainers && to >= trainers ? 2 * max(0, min((from + 1) * weights / trainers, ((to - trainers) % tp + 1) * weights / tp) - max(from * weights / trainers, (to - trainers) % tp * weights / tp)) : 0"}
      ]}
    ]}
  ],
  "closed_forms": [
    {"of": "all", "bytes": "2 * model * 1000000 * (generators / tp)"}
  ]
}
)json";
}

}  // namespace railgauge::workload
