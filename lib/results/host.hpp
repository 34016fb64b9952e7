#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace railgauge::results {

/// A host that takes part, and the software that its figures depend on.
struct Host {
  std::string name{};
  std::string kernel{};      // release: "6.1.0-42-amd64"
  std::string machine{};     // "x86_64"
  std::string processor{};   // "AMD EPYC 7763 64-Core Processor"; empty if it does not tell
  std::string libibverbs{};  // version of the library that was loaded: "1.14.44.0"
  std::string mpi{};         // "Open MPI v4.1.4"
};

void to_json(nlohmann::ordered_json& json, const Host& host);
void from_json(const nlohmann::ordered_json& json, Host& host);

}  // namespace railgauge::results
