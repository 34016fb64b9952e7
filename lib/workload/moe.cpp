// Expert parallelism: in every layer tokens are dispatched to the ranks of their experts, and come
// back combined.
//
// Of N ranks of a group, each has B tokens of H elements for k experts each. Dispatch is an
// all-to-all-v in which rank i has B*k*H*P bytes for all ranks, with P bytes an element (FP8: 1),
// and B*k*H*P/N for each of them if experts are wanted alike: BMWG, "Benchmarking methodology for
// AI inference fabrics", draft, T_dispatch. Combine is its transpose, of 2 bytes an element
// (bfloat16): DeepEP, github.com/deepseek-ai/DeepEP, README. All ranks in a step:
// ranks * layers * B*k*H * (P_dispatch + P_combine), what stays on its rank among it.
//
// Skew: the k-th most wanted rank gets 1/k^alpha of what the most wanted one gets, which is so by
// Mooncake's EP benchmark, option --zipf-alpha; here of ranks rather than of experts. The seed says
// which rank is which; every rank sends in these proportions, in whole tokens, in every layer and
// step. With alpha 0 all get the same. Padding (low-latency kernels send the maximum) is alpha 0
// with as many tokens. Defaults: DeepSeek-V3, arXiv 2412.19437: 58 such layers, H 7168, k 8. The
// times of attention and experts are assumptions.

#include "workload/kinds.hpp"

namespace railgauge::workload {

std::string_view moe_text() {
  return R"json({
  "schema": "railgauge/workload/1",
  "name": "mixture of experts",
  "description": "Dispatch and combine of expert parallelism, uniform or skewed, with attention and experts computed between. Routing is the same in every layer and step.",
  "sources": ["DeepEP README", "arXiv 2412.19437 (DeepSeek-V3)", "BMWG inference draft (T_dispatch)"],
  "steps": 10,
  "parameters": [
    {"name": "ep", "value": "ranks", "about": "ranks among which experts are spread"},
    {"name": "tokens", "value": 128, "about": "of each rank, in a layer"},
    {"name": "topk", "value": 8, "about": "experts of a token"},
    {"name": "hidden", "value": 7168},
    {"name": "moe_layers", "value": 58},
    {"name": "dispatch_bytes", "value": 1, "about": "of an element: FP8"},
    {"name": "combine_bytes", "value": 2, "about": "of an element: bfloat16"},
    {"name": "alpha", "value": 0, "about": "of Zipf's law, in thousandths; 0: uniform"},
    {"name": "seed", "value": 1, "about": "which rank is wanted most"},
    {"name": "attention_us", "value": 100},
    {"name": "expert_us", "value": 100}
  ],
  "conditions": [
    {"that": "ep > 0 && ranks % ep == 0", "otherwise": "set ep to a divisor of the number of ranks"}
  ],
  "groups": [
    {"name": "ep", "size": "ep"}
  ],
  "classes": [
    {"name": "rank", "streams": [
      {"name": "layer", "operations": [
        {"kind": "block", "times": "moe_layers", "operations": [
          {"name": "attention", "kind": "compute", "microseconds": "attention_us"},
          {"name": "dispatch", "kind": "collective", "type": "alltoallv", "group": "ep", "bytes": "hidden * dispatch_bytes * zipf(tokens * topk, to, ep, alpha, seed)"},
          {"name": "experts", "kind": "compute", "microseconds": "expert_us"},
          {"name": "combine", "kind": "collective", "type": "alltoallv", "group": "ep", "bytes": "hidden * combine_bytes * zipf(tokens * topk, from, ep, alpha, seed)"}
        ]}
      ]}
    ]}
  ],
  "closed_forms": [
    {"of": "ep", "bytes": "ranks * moe_layers * tokens * topk * hidden * (dispatch_bytes + combine_bytes)"}
  ]
}
)json";
}

}  // namespace railgauge::workload
