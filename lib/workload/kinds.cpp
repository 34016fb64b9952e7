#include "workload/kinds.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "finding/words.hpp"
#include "manual/manual.hpp"

namespace railgauge::workload {
namespace {

/// As published: Touvron et al., "Llama 2", arXiv 2307.09288, and Meta's params.json; Grattafiori
/// et al., "The Llama 3 Herd of Models", arXiv 2407.21783, table 3; Qwen2.5-32B's config.json.
struct Model {
  std::string_view name;
  std::array<std::int64_t, 5> values;  // as kNames
};
constexpr std::array<std::string_view, 5> kNames{"layers", "hidden", "heads", "kv_heads", "ffn"};
constexpr std::array kModels{Model{"llama-2-7b", {32, 4096, 32, 32, 11008}},
                             Model{"llama-3-8b", {32, 4096, 32, 8, 14336}},
                             Model{"llama-2-13b", {40, 5120, 40, 40, 13824}},
                             Model{"qwen-2.5-32b", {64, 5120, 40, 8, 27648}},
                             Model{"llama-3-70b", {80, 8192, 64, 8, 28672}},
                             Model{"llama-3.1-405b", {126, 16384, 128, 8, 53248}}};

struct Made {
  std::string_view name;
  std::string_view (*text)();
};
constexpr std::array kKinds{Made{"dense", dense_text},     Made{"moe", moe_text},
                            Made{"kv", kv_text},           Made{"checkpoint", checkpoint_text},
                            Made{"dataset", dataset_text}, Made{"reshard", reshard_text}};

template <class All>
std::vector<std::string> names_in(const All& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const auto& one : all) names.emplace_back(one.name);
  return names;
}

[[noreturn]] void refuse_name(const std::string& what, const std::string& name,
                              const std::vector<std::string>& names) {
  throw std::invalid_argument("there is no " + what + " '" + name + "': expected " +
                              finding::listed(names, " or ") + manual::did_you_mean(name, names));
}

}  // namespace

std::vector<std::string> kinds() {
  return names_in(kKinds);
}

std::vector<std::string> models() {
  return names_in(kModels);
}

std::string text_of_kind(const std::string& name) {
  const auto* const found = std::ranges::find(kKinds, name, &Made::name);
  return found == kKinds.end() ? "" : std::string(found->text());
}

Workload make(const std::string& kind, const std::string& model) {
  const auto* const found = std::ranges::find(kKinds, kind, &Made::name);
  if (found == kKinds.end()) refuse_name("kind of workload", kind, kinds());
  Workload made = workload_in(std::string(found->text()), kind);
  if (model.empty()) return made;
  const auto* const of = std::ranges::find(kModels, model, &Model::name);
  if (of == kModels.end()) refuse_name("model", model, models());
  if (std::ranges::find(made.parameters, "layers", &Parameter::name) == made.parameters.end())
    throw std::invalid_argument("a workload " + kind + " has no model");
  for (Parameter& parameter : made.parameters) {
    const auto* const name = std::ranges::find(kNames, parameter.name);
    if (name == kNames.end()) continue;
    parameter.value.text =
        std::to_string(of->values[static_cast<std::size_t>(name - kNames.begin())]);
  }
  made.name += " of " + model;
  return made;
}

}  // namespace railgauge::workload
