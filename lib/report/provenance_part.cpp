#include <algorithm>
#include <map>

#include "finding/words.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"
#include "results/utc.hpp"

namespace railgauge::report {
namespace {

using results::Document;

/// Two columns: what it is, and its text; nothing for what has none.
std::string named(const std::vector<std::pair<const char*, std::string>>& texts) {
  std::vector<Row> rows;
  for (const auto& [name, text] : texts) {
    if (!text.empty()) rows.push_back({name, text});
  }
  return table({"", ""}, rows);
}

std::string run_of(const Document& document) {
  const results::Tool& tool = document.tool;
  return named({{"tool", tool.name + " " + tool.version},
                {"commit", tool.commit},
                {"test", kind_name(document.body)},
                {"status", status_of(document)},
                {"start", results::utc(document.start)},
                {"end", document.end ? results::utc(*document.end) : ""},
                {"command line", finding::joined(document.command_line, " ")}});
}

std::string options_of(const Document& document) {
  std::vector<Row> rows;
  for (const auto& [name, option] : document.options) {
    const bool chosen = option.origin != results::Option::Origin::default_value;
    rows.push_back(
        {name, option_text(document, name), {word(option.origin), chosen ? "chosen" : ""}});
  }
  return rows.empty() ? "" : folded("Options", table({"option", "value", "origin"}, rows));
}

std::string environment_of(const Document& document) {
  std::vector<Row> rows;
  for (const auto& [name, value] : document.environment) rows.push_back({name, value});
  return rows.empty() ? "" : folded("Environment", table({"variable", "value"}, rows));
}

/// Hosts that are alike in a line, the fewest first: what is rare is what somebody looks for.
std::string hosts_of(const Document& document) {
  std::map<std::vector<std::string>, std::vector<std::string>> alike;
  for (const results::Host& host : document.hosts) {
    alike[{host.processor, host.machine, host.kernel, host.libibverbs, host.mpi}].push_back(
        host.name);
  }
  std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> all(alike.begin(),
                                                                                 alike.end());
  std::ranges::stable_sort(all, {}, [](const auto& kind) { return kind.second.size(); });
  std::vector<Row> rows;
  for (const auto& [columns, names] : all) {
    rows.push_back({listed(names), names.size()});
    rows.back().insert(rows.back().end(), columns.begin(), columns.end());
  }
  if (rows.empty()) return "";
  return folded("Hosts", ranked_table({"hosts", "number", "processor", "machine", "kernel",
                                       "libibverbs", "MPI"},
                                      rows, "kinds of hosts"));
}

std::string content_of(const Document& document) {
  return run_of(document) + options_of(document) + hosts_of(document) + environment_of(document);
}

/// Of what others measured there is only what they say of it.
std::string content_of(const verdict::Reference& reference) {
  return named({{"reference", reference.name},
                {"system", reference.system},
                {"nic", reference.nic},
                {"transport", reference.transport},
                {"source", reference.source.url},
                {"date", reference.source.date}});
}

/// Of hosts that were examined the document itself is all there is.
std::string content_of(const doctor::Document& /*examination*/) {
  return "";
}

}  // namespace

std::string provenance_part(const verdict::Input& input) {
  return section("Provenance",
                 std::visit([](const auto& held) { return content_of(held); }, input));
}

}  // namespace railgauge::report
