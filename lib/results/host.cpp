#include "results/host.hpp"

#include <nlohmann/json.hpp>

namespace railgauge::results {

void to_json(nlohmann::ordered_json& json, const Host& host) {
  json = {{"name", host.name},           {"kernel", host.kernel},         {"machine", host.machine},
          {"processor", host.processor}, {"libibverbs", host.libibverbs}, {"mpi", host.mpi}};
}

void from_json(const nlohmann::ordered_json& json, Host& host) {
  json.at("name").get_to(host.name);
  json.at("kernel").get_to(host.kernel);
  json.at("machine").get_to(host.machine);
  json.at("processor").get_to(host.processor);
  json.at("libibverbs").get_to(host.libibverbs);
  json.at("mpi").get_to(host.mpi);
}

}  // namespace railgauge::results
