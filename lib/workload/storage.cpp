// What goes one way, from many ranks to others: caches of keys and values, and checkpoints.
//
// KV transfer: prefill rank i computes a prompt and sends its cache to decode rank i mod `decode`,
// all at once: an incast if there are more of the former. A prompt of C tokens has S = 2 * L * H_kv
// * D * P * C bytes (keys and values, layers, heads of them, elements of a head, bytes of an
// element): BMWG, "Benchmarking methodology for AI inference fabrics", draft, S_KV; here in whole
// pages. All ranks in a step: prefill * requests * S. The next prompt is computed while a cache is
// sent. Requests are closed-loop: none arrives by a clock of its own. Each rank holds all heads: no
// TP.
//
// Checkpoint: every writer has its shard of weights and optimizer, 14 bytes a parameter (bfloat16
// weights; master weights and Adam's two moments in 4 bytes: Rajbhandari et al., "ZeRO", SC'20,
// section 3.1, without gradients), in bursts of equal size, to storage rank i mod `storage`, while
// training goes on. All ranks in a step: writers * bursts * burst, where a burst is a writer's
// shard divided by their number, rounded up. Storage takes data as fast as its NICs do, and keeps
// nothing.

#include "workload/kinds.hpp"

namespace railgauge::workload {

std::string_view kv_text() {
  return R"json({
  "schema": "railgauge/workload/1",
  "name": "KV transfer",
  "description": "Caches of keys and values from prefill to decode ranks, while the next prompt is computed. Closed loop; no tensor parallelism.",
  "sources": ["BMWG inference draft (S_KV)", "arXiv 2407.21783 (Llama 3 sizes)"],
  "steps": 10,
  "parameters": [
    {"name": "prefill", "value": "ceil(ranks, 2)", "about": "ranks, the first ones"},
    {"name": "decode", "value": "ranks - prefill", "about": "ranks"},
    {"name": "requests", "value": 4, "about": "of each prefill rank in a step"},
    {"name": "prompt", "value": 4096, "about": "tokens"},
    {"name": "layers", "value": 80},
    {"name": "hidden", "value": 8192},
    {"name": "heads", "value": 64},
    {"name": "kv_heads", "value": 8},
    {"name": "element_bytes", "value": 2},
    {"name": "page", "value": 65536, "about": "bytes"},
    {"name": "prefill_us", "value": 100000, "about": "of a prompt"},
    {"name": "cache", "value": "ceil(2 * layers * kv_heads * (hidden / heads) * element_bytes * prompt, page) * page", "about": "bytes"}
  ],
  "conditions": [
    {"that": "prefill > 0 && decode > 0 && prefill + decode == ranks", "otherwise": "set prefill and decode so that their sum is the number of ranks, at least one of each"}
  ],
  "groups": [
    {"name": "all", "size": "ranks"}
  ],
  "classes": [
    {"name": "prefill", "when": "rank < prefill", "streams": [
      {"name": "compute", "operations": [
        {"name": "prefill", "kind": "compute", "microseconds": "prefill_us", "times": "requests"}
      ]},
      {"name": "transfer", "operations": [
        {"name": "cache", "kind": "collective", "type": "alltoallv", "group": "all", "bytes": "from < prefill && to == prefill + from % decode ? cache : 0", "times": "requests", "after": ["prefill"]}
      ]}
    ]},
    {"name": "decode", "streams": [
      {"name": "transfer", "operations": [
        {"name": "cache", "kind": "collective", "type": "alltoallv", "group": "all", "bytes": "from < prefill && to == prefill + from % decode ? cache : 0", "times": "requests"}
      ]}
    ]}
  ],
  "closed_forms": [
    {"of": "all", "bytes": "prefill * requests * ceil(2 * layers * kv_heads * hidden / heads * element_bytes * prompt, page) * page"}
  ]
}
)json";
}

std::string_view checkpoint_text() {
  return R"json({
  "schema": "railgauge/workload/1",
  "name": "checkpoint",
  "description": "All writers write their shards to storage ranks, in bursts, while they compute.",
  "sources": ["Rajbhandari et al., SC'20 (bytes of a parameter)"],
  "steps": 10,
  "parameters": [
    {"name": "storage", "value": "ceil(ranks, 8)", "about": "ranks, the last ones"},
    {"name": "writers", "value": "ranks - storage", "about": "ranks"},
    {"name": "model", "value": 8000, "about": "millions of parameters"},
    {"name": "bursts", "value": 8, "about": "of each writer in a step"},
    {"name": "train_us", "value": 100000, "about": "of a step"},
    {"name": "burst", "value": "ceil(14 * model * 1000000, max(writers, 1) * bursts)", "about": "bytes"}
  ],
  "conditions": [
    {"that": "storage > 0 && writers > 0 && storage + writers == ranks", "otherwise": "set storage and writers so that their sum is the number of ranks, at least one of each"}
  ],
  "groups": [
    {"name": "all", "size": "ranks"}
  ],
  "classes": [
    {"name": "writer", "when": "rank < writers", "streams": [
      {"name": "compute", "operations": [
        {"name": "train", "kind": "compute", "microseconds": "train_us"}
      ]},
      {"name": "write", "operations": [
        {"name": "burst", "kind": "collective", "type": "alltoallv", "group": "all", "bytes": "from < writers && to == writers + from % storage ? burst : 0", "times": "bursts"}
      ]}
    ]},
    {"name": "storage", "streams": [
      {"name": "write", "operations": [
        {"name": "burst", "kind": "collective", "type": "alltoallv", "group": "all", "bytes": "from < writers && to == writers + from % storage ? burst : 0", "times": "bursts"}
      ]}
    ]}
  ],
  "closed_forms": [
    {"of": "all", "bytes": "writers * bursts * ceil(14 * model * 1000000, writers * bursts)"}
  ]
}
)json";
}

}  // namespace railgauge::workload
