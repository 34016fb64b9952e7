#include "benchmarks/railgauge/result_input.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "soak/soak_summary.hpp"
#include "verdict/library.hpp"

namespace railgauge::benchmarks {
namespace {

namespace fs = std::filesystem;

/// The record that a document names; empty if it is not there.
std::string record_of(const results::SoakBody& body, const std::string& file) {
  const fs::path named = body.record;
  for (const fs::path& path : {named, fs::path(file).parent_path() / named.filename()}) {
    if (!named.empty() && soak::is_record(path)) return path;
  }
  return "";
}

void add_samples(ResultInput& result, const std::string& file) {
  const auto* const document = std::get_if<results::Document>(&result.input);
  if (document == nullptr) return;
  const auto* const body = std::get_if<results::SoakBody>(&document->body);
  if (body == nullptr) return;
  const std::string record = record_of(*body, file);
  if (!record.empty()) result.samples = soak::read_record(record);
}

}  // namespace

ResultInput read_result(const std::string& file, bool samples) {
  ResultInput result;
  if (file != "-" && soak::is_record(file)) {
    result.samples = soak::read_record(file);
    result.input = soak::document_of(*result.samples, file);
    return result;
  }
  result.input = verdict::input_of(verdict::read_json(file), file);
  if (samples) add_samples(result, file);
  return result;
}

}  // namespace railgauge::benchmarks
