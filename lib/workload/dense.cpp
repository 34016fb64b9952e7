// A training step of a dense transformer, in tensor, pipeline and data parallel groups.
//
// Rank = (stage * dp + replica) * tp + slice, as Megatron-LM numbers them. Activations, gradients
// and weights travel in 2 bytes (bfloat16). t = tokens of a micro-batch, h = hidden, L = layers, m
// = micro-batches, W = weights of a layer; bytes of all ranks in a step:
//
// tensor parallel: two all-reduces of t*h in a layer's forward and two in its backward pass:
//   4 * 2th * L * m * tp * dp. Shoeybi et al., "Megatron-LM", arXiv 1909.08053, section 3.
// pipeline: t*h in each direction between neighbours: (pp - 1) * 2th * m * tp * dp. Narayanan et
// al.,
//   "Efficient large-scale language model training on GPU clusters", SC'21, section 3.2. In GPipe's
//   order (all forward, then all backward passes), whose bytes are those of 1F1B.
// data parallel: ZeRO-1 and 2 reduce-scatter and all-gather the weights once, 2 * 2W a layer, after
//   the backward pass and without overlap; ZeRO-3 gathers them in both passes and scatters the
//   gradients of every micro-batch, 3 * 2W a layer, beside the computation, as early as it can be.
//   Rajbhandari et al., "ZeRO", SC'20, section 7. FSDP's full shards are ZeRO-3. Its hybrid shards
//   are those of `shards` ranks, and the replicas of each sum its gradients up, 2W a layer divided
//   by tp and shards: Zhao et al., "PyTorch FSDP", VLDB'23, arXiv 2304.11277, section 3.2.2.
//
// W = 2h^2 + 2h * kv_heads * h / heads + 3h * ffn: attention with grouped queries, and SwiGLU. A
// layer's forward pass takes 2Wt + 2*t*sequence*h operations (causal attention), its backward pass
// twice as many, at `tflops` a rank, which is an assumption. Left out: embeddings and the output
// layer, norms, the optimizer, recomputation, context parallelism.

#include "workload/kinds.hpp"

namespace railgauge::workload {
namespace {

constexpr std::string_view kDense = R"json({
  "schema": "railgauge/workload/1",
  "name": "dense training step",
  "description": "Tensor, pipeline and data parallel step of a dense transformer, bfloat16, GPipe order. Left out: embeddings, norms, optimizer, recomputation.",
  "sources": ["arXiv 1909.08053 (Megatron-LM)", "Narayanan et al., SC'21 (pipeline)", "Rajbhandari et al., SC'20 (ZeRO)", "arXiv 2304.11277 (FSDP)", "arXiv 2407.21783 (Llama 3 sizes)"],
  "steps": 10,
  "parameters": [
    {"name": "tp", "value": 1, "about": "tensor parallel ranks"},
    {"name": "pp", "value": 1, "about": "pipeline stages"},
    {"name": "dp", "value": "ranks / (tp * pp)", "about": "data parallel replicas"},
    {"name": "zero", "value": 1, "about": "stage of ZeRO: 1 or 3, which is FSDP"},
    {"name": "shards", "value": "dp", "about": "ranks over which weights are sharded; of FSDP's hybrid shards fewer than dp"},
    {"name": "layers", "value": 32},
    {"name": "hidden", "value": 4096},
    {"name": "heads", "value": 32},
    {"name": "kv_heads", "value": 8},
    {"name": "ffn", "value": 14336},
    {"name": "sequence", "value": 4096, "about": "tokens"},
    {"name": "batch", "value": 1, "about": "sequences of a micro-batch"},
    {"name": "microbatches", "value": "2 * pp"},
    {"name": "tflops", "value": 400, "about": "that a rank achieves"},
    {"name": "stage_layers", "value": "layers / pp"},
    {"name": "tokens", "value": "batch * sequence"},
    {"name": "activation", "value": "2 * tokens * hidden", "about": "bytes"},
    {"name": "weights", "value": "2 * hidden * hidden + 2 * hidden * kv_heads * (hidden / heads) + 3 * hidden * ffn", "about": "of a layer"},
    {"name": "shard", "value": "2 * ceil(weights, tp * shards)", "about": "bytes of a layer's weights on each rank"},
    {"name": "forward_us", "value": "ceil(weights * tokens + tokens * sequence * hidden, tp * tflops * 1000000)", "about": "half a layer"}
  ],
  "conditions": [
    {"that": "tp > 0 && pp > 0 && dp > 0 && tp * pp * dp == ranks", "otherwise": "set tp, pp and dp so that their product is the number of ranks"},
    {"that": "layers % pp == 0", "otherwise": "set pp to a divisor of layers, or layers to a multiple of pp"},
    {"that": "zero == 1 || zero == 3", "otherwise": "set zero to 1 or 3; 2 has the traffic of 1"},
    {"that": "shards > 0 && dp % shards == 0 && (zero == 3 || shards == dp)", "otherwise": "set shards to a divisor of dp, and with fewer than dp zero to 3"}
  ],
  "groups": [
    {"name": "tp", "size": "tp"},
    {"name": "dp", "size": "shards", "stride": "tp"},
    {"name": "replicas", "size": "dp / shards", "stride": "tp * shards"}
  ],
  "classes": [
    {"name": "rank", "streams": [
      {"name": "compute", "operations": [
        {"kind": "block", "times": "microbatches", "operations": [
          {"name": "activations", "kind": "receive", "from": "rank - tp * dp", "bytes": "activation", "times": "rank >= tp * dp"},
          {"kind": "block", "times": "2 * stage_layers", "operations": [
            {"name": "forward", "kind": "compute", "microseconds": "forward_us", "after": ["gather weights"]},
            {"name": "reduce forward", "kind": "collective", "type": "all_reduce", "group": "tp", "bytes": "activation", "times": "tp > 1"}
          ]},
          {"name": "activations", "kind": "send", "to": "rank + tp * dp", "bytes": "activation", "times": "rank < ranks - tp * dp"}
        ]},
        {"name": "forward ends", "kind": "marker"},
        {"kind": "block", "times": "microbatches", "operations": [
          {"name": "activation gradients", "kind": "receive", "from": "rank + tp * dp", "bytes": "activation", "times": "rank < ranks - tp * dp"},
          {"kind": "block", "times": "2 * stage_layers", "operations": [
            {"name": "backward", "kind": "compute", "microseconds": "2 * forward_us", "after": ["gather weights again"]},
            {"name": "reduce backward", "kind": "collective", "type": "all_reduce", "group": "tp", "bytes": "activation", "times": "tp > 1"}
          ]},
          {"name": "activation gradients", "kind": "send", "to": "rank - tp * dp", "bytes": "activation", "times": "rank >= tp * dp"}
        ]},
        {"name": "backward ends", "kind": "marker"}
      ]},
      {"name": "gather", "operations": [
        {"name": "gather weights", "kind": "collective", "type": "all_gather", "group": "dp", "bytes": "shard * shards", "times": "zero == 3 && shards > 1 ? microbatches * stage_layers : 0"},
        {"name": "gather weights again", "kind": "collective", "type": "all_gather", "group": "dp", "bytes": "shard * shards", "times": "zero == 3 && shards > 1 ? microbatches * stage_layers : 0", "after": ["forward ends"]}
      ]},
      {"name": "reduce", "operations": [
        {"kind": "block", "times": "zero == 3 && dp > 1 ? microbatches * stage_layers : 0", "operations": [
          {"name": "scatter gradients", "kind": "collective", "type": "reduce_scatter", "group": "dp", "bytes": "shard * shards", "times": "shards > 1", "after": ["backward"]},
          {"name": "sum gradients", "kind": "collective", "type": "all_reduce", "group": "replicas", "bytes": "shard", "times": "dp > shards", "after": ["backward"]}
        ]},
        {"name": "scatter all gradients", "kind": "collective", "type": "reduce_scatter", "group": "dp", "bytes": "shard * dp * stage_layers", "times": "zero == 1 && dp > 1", "after": ["backward ends"]},
        {"name": "gather all weights", "kind": "collective", "type": "all_gather", "group": "dp", "bytes": "shard * dp * stage_layers", "times": "zero == 1 && dp > 1"}
      ]}
    ]}
  ],
  "closed_forms": [
    {"of": "tp", "bytes": "tp > 1 ? 8 * batch * sequence * hidden * layers * microbatches * tp * dp : 0"},
    {"of": "activations", "bytes": "(pp - 1) * 2 * batch * sequence * hidden * microbatches * tp * dp"},
    {"of": "activation gradients", "bytes": "(pp - 1) * 2 * batch * sequence * hidden * microbatches * tp * dp"},
    {"of": "dp", "bytes": "shards > 1 ? (zero == 3 ? 3 * microbatches : 2) * 2 * ceil(weights, tp * shards) * shards * layers * tp * dp : 0"},
    {"of": "replicas", "bytes": "dp > shards ? microbatches * 2 * ceil(weights, tp * shards) * layers * tp * dp : 0"}
  ]
}
)json";

}  // namespace

std::string_view dense_text() {
  return kDense;
}

}  // namespace railgauge::workload
