#include "runner/isolation/evidence_file.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "results/codec.hpp"
#include "results/document.hpp"
#include "results/input_file.hpp"

namespace railgauge::runner {

std::vector<EarlierTest> read_evidence(const std::string& path) {
  try {
    const auto json = nlohmann::ordered_json::parse(results::read_input(path));
    return earlier_tests(results::read_document(json));
  } catch (const std::exception& error) {
    throw std::runtime_error(results::name_of_input(path) + ": " + error.what());
  }
}

std::string packed(const std::vector<EarlierTest>& tests) {
  return results::encode(tests).dump();
}

std::vector<EarlierTest> unpacked(const std::string& text) {
  std::vector<EarlierTest> tests;
  results::decode(results::Json::parse(text), tests);
  return tests;
}

}  // namespace railgauge::runner
