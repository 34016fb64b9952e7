// What goes one way, from many ranks to others: caches of keys and values, checkpoints, samples.
//
// KV transfer: prefill rank i computes a prompt and sends its cache to decode rank i mod `decode`,
// all at once: an incast if there are more of the former. A prompt of C tokens has S = 2 * L * H_kv
// * D * P * C bytes (keys and values, layers, heads of them, elements of a head, bytes of an
// element): BMWG, "Benchmarking methodology for AI inference fabrics", draft, S_KV; here in whole
// pages. All ranks in a step: prefill * requests * S. The next prompt is computed while a cache is
// sent. Each rank holds all heads: no TP.
//
// With a `rate` the loop is open: caches are ready, whatever became of those before, at times of a
// Poisson process, `burst` of them at once; nothing is computed. They go from and to the ranks in
// turn, those of a rank one after the other. So one prefill and one decode rank are a queue M/D/1.
//
// Checkpoint: every writer has its shard of weights and optimizer, 14 bytes a parameter (bfloat16
// weights; master weights and Adam's two moments in 4 bytes: Rajbhandari et al., "ZeRO", SC'20,
// section 3.1, without gradients), in bursts of equal size, to storage rank i mod `storage`, while
// training goes on. All ranks in a step: writers * bursts * burst, where a burst is a writer's
// shard divided by their number, rounded up. Storage takes data as fast as its NICs do, and keeps
// nothing.
//
// Dataset: every reader reads the samples of its next batch while it computes the one before, each
// batch in a piece that is striped over all storage ranks as evenly as possible, from another one
// on for every reader. All ranks in a step: readers * reads * batch * sample. Defaults: MLPerf
// Storage v1, workload unet3d: samples of 146,600,628 bytes, 7 a batch, 0.323 s a batch (H100).

#include "workload/kinds.hpp"

namespace railgauge::workload {

std::string_view kv_text() {
  return R"json({
  "schema": "railgauge/workload/1",
  "name": "KV transfer",
  "description": "Caches of keys and values from prefill to decode ranks, while the next prompt is computed, or with a rate as they arrive. No tensor parallelism.",
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
    {"name": "prefill_us", "value": 100000, "about": "of a prompt; of none with a rate"},
    {"name": "rate", "value": 0, "about": "caches of all ranks a second, by a Poisson process; 0: the next when the one before is over"},
    {"name": "burst", "value": 1, "about": "caches that arrive at once"},
    {"name": "seed", "value": 1, "about": "of arrivals"},
    {"name": "cache", "value": "ceil(2 * layers * kv_heads * (hidden / heads) * element_bytes * prompt, page) * page", "about": "bytes"}
  ],
  "conditions": [
    {"that": "prefill > 0 && decode > 0 && prefill + decode == ranks", "otherwise": "set prefill and decode so that their sum is the number of ranks, at least one of each"},
    {"that": "rate >= 0 && burst > 0", "otherwise": "set burst to 1 or more, rate to 0 or more"}
  ],
  "groups": [
    {"name": "all", "size": "ranks"}
  ],
  "classes": [
    {"name": "prefill", "when": "rank < prefill", "streams": [
      {"name": "compute", "operations": [
        {"name": "prefill", "kind": "compute", "microseconds": "prefill_us", "times": "rate > 0 ? 0 : requests"}
      ]},
      {"name": "transfer", "operations": [
        {"name": "cache", "kind": "collective", "type": "alltoallv", "group": "all", "bytes": "from < prefill && to == prefill + from % decode ? cache : 0", "times": "rate > 0 ? 0 : requests", "after": ["prefill"]},
        {"kind": "block", "times": "rate > 0 ? prefill * requests : 0", "index": "i", "operations": [
          {"name": "request", "kind": "send", "to": "prefill + i % decode", "bytes": "cache", "arrival": "poisson(i / burst, burst * 1000000000 / rate, seed) / 1000", "times": "i % prefill == rank"}
        ]}
      ]}
    ]},
    {"name": "decode", "streams": [
      {"name": "transfer", "operations": [
        {"name": "cache", "kind": "collective", "type": "alltoallv", "group": "all", "bytes": "from < prefill && to == prefill + from % decode ? cache : 0", "times": "rate > 0 ? 0 : requests"},
        {"kind": "block", "times": "rate > 0 ? prefill * requests : 0", "index": "i", "operations": [
          {"name": "request", "kind": "receive", "from": "i % prefill", "bytes": "cache", "arrival": "poisson(i / burst, burst * 1000000000 / rate, seed) / 1000", "times": "prefill + i % decode == rank"}
        ]}
      ]}
    ]}
  ],
  "closed_forms": [
    {"of": "all", "bytes": "rate > 0 ? 0 : prefill * requests * ceil(2 * layers * kv_heads * hidden / heads * element_bytes * prompt, page) * page"},
    {"of": "request", "bytes": "rate > 0 ? prefill * requests * ceil(2 * layers * kv_heads * hidden / heads * element_bytes * prompt, page) * page : 0"}
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

std::string_view dataset_text() {
  return R"json({
  "schema": "railgauge/workload/1",
  "name": "dataset",
  "description": "All readers read the samples of their next batches from storage ranks, striped, while they compute.",
  "sources": ["MLPerf Storage v1 (unet3d)"],
  "steps": 10,
  "parameters": [
    {"name": "storage", "value": "ceil(ranks, 8)", "about": "ranks, the last ones"},
    {"name": "readers", "value": "ranks - storage", "about": "ranks"},
    {"name": "reads", "value": 1, "about": "batches of each reader in a step"},
    {"name": "batch", "value": 7, "about": "samples"},
    {"name": "sample", "value": 146600628, "about": "bytes"},
    {"name": "train_us", "value": 323000, "about": "of a batch"},
    {"name": "read", "value": "batch * sample", "about": "bytes"}
  ],
  "conditions": [
    {"that": "storage > 0 && readers > 0 && storage + readers == ranks", "otherwise": "set storage and readers so that their sum is the number of ranks, at least one of each"}
  ],
  "groups": [
    {"name": "all", "size": "ranks"}
  ],
  "classes": [
    {"name": "reader", "when": "rank < readers", "streams": [
      {"name": "compute", "operations": [
        {"name": "train", "kind": "compute", "microseconds": "train_us", "times": "reads"}
      ]},
      {"name": "read", "operations": [
        {"name": "samples", "kind": "collective", "type": "alltoallv", "group": "all", "bytes": "from >= readers && to < readers ? share(read, (from + to) % storage, storage) : 0", "times": "reads"}
      ]}
    ]},
    {"name": "storage", "streams": [
      {"name": "read", "operations": [
        {"name": "samples", "kind": "collective", "type": "alltoallv", "group": "all", "bytes": "from >= readers && to < readers ? share(read, (from + to) % storage, storage) : 0", "times": "reads"}
      ]}
    ]}
  ],
  "closed_forms": [
    {"of": "all", "bytes": "readers * reads * batch * sample"}
  ]
}
)json";
}

}  // namespace railgauge::workload
