#include "runner/isolation/isolate_display.hpp"

#include <algorithm>
#include <iostream>

#include "results/document.hpp"

namespace railgauge::runner {

void IsolateDisplay::begin(const results::Document& document) {
  std::cout << "# " << nics_.size() << " NICs of " << document.ranks.size() << " hosts"
            << std::endl;
}

void IsolateDisplay::end(const results::Document& document) {
  const auto& body = std::get<results::IsolateBody>(document.body);
  if (std::ranges::any_of(nics_, &TestedNic::software))
    std::cout << "# SOFTWARE DEVICE: results do not represent hardware\n";
  std::cout << "# " << body.rows.size() << " tests in " << body.rounds << " rounds\n"
            << "# Bad component: " << word(body.isolate_verdict) << "\n";
  for (const std::string& sentence : body.sentences) std::cout << "# " << sentence << "\n";
  std::cout << std::flush;
}

}  // namespace railgauge::runner
