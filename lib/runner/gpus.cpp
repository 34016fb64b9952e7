#include "runner/gpus.hpp"

#include <algorithm>
#include <iostream>

#include "job/exchanged_values.hpp"

namespace railgauge::runner {
namespace {

using topology::Nearness;

/// Peer requests across sockets are slow on most hosts, and refused on some.
std::string warning_of(const Session& session, const results::RankGpu& gpu,
                       const std::string& nic) {
  if (gpu.nearness != word(Nearness::across)) return "";
  return session.host_of(session.rank()) + ", rank " + std::to_string(session.rank()) + ": GPU " +
         gpu.pci_address + " and " + nic +
         " are on different sockets; data between them cross both root complexes, which is slow";
}

void print(const std::vector<results::Rank>& ranks) {
  for (const results::Rank& rank : ranks) {
    for (const results::RankGpu& gpu : *rank.gpus) {
      std::cout << "# GPU of rank " << rank.rank << ", rail " << gpu.rail << ": " << gpu.name
                << ", " << gpu.pci_address << ", nearness to the NIC: " << gpu.nearness << "\n";
    }
  }
  std::cout << std::flush;
}

}  // namespace

std::size_t chosen_gpu(const std::vector<Nearness>& nearness, int local_rank) {
  const Nearness nearest = std::ranges::min(nearness);
  std::vector<std::size_t> choice;
  for (std::size_t gpu = 0; gpu < nearness.size(); ++gpu) {
    if (nearness[gpu] == nearest) choice.push_back(gpu);
  }
  return choice[static_cast<std::size_t>(local_rank) % choice.size()];
}

void Gpus::list() {
  if (!all_.empty()) return;
  all_ = gpu::list_devices();
  if (all_.empty()) {
    throw gpu::Failure(
        "no GPU memory: the driver lists no GPU for this process; see CUDA_VISIBLE_DEVICES");
  }
}

std::vector<Nearness> Gpus::nearness_of_all(const std::string& nic) const {
  const topology::HostMap& map = session_.host_map();
  const auto* const device = topology::find_device(map, nic);
  std::vector<Nearness> all;
  for (const gpu::Description& one : all_) {
    const auto found = std::ranges::find(map.gpus, one.pci_address, &topology::Gpu::address);
    all.push_back(found == map.gpus.end() || device == nullptr
                      ? Nearness::unknown
                      : topology::nearness(*found, device->pci, device->locality));
  }
  return all;
}

std::size_t Gpus::choice(const std::string& nic) {
  list();
  return chosen_gpu(nearness_of_all(nic), session_.document().ranks[session_.rank()].local_rank);
}

Nearness Gpus::nearness(const std::string& nic) {
  list();
  return nearness_of_all(nic)[choice(nic)];
}

const gpu::Device& Gpus::nearest(const std::string& nic) {
  return gpu::open_device(all_[choice(nic)].ordinal);
}

std::size_t first_own_rail(const Session& session) {
  const results::Rank& rank = session.document().ranks[session.rank()];
  const std::vector<int>& own = rank.placement.rails;
  const auto first =
      std::ranges::find(rank.rails, own.empty() ? 0 : own.front(), &results::RankRail::rail);
  return first == rank.rails.end() ? 0 : static_cast<std::size_t>(first - rank.rails.begin());
}

void use_gpus(Session& session, const std::vector<std::size_t>& ports) {
  std::vector<results::RankGpu> own;
  std::vector<std::string> warnings;
  for (const std::size_t port : ports) {
    const std::string& nic = session.rails()[port].device;
    const gpu::Description& gpu = session.gpus().nearest(nic).description();
    own.push_back({session.document().ranks[session.rank()].rails[port].rail, gpu.name,
                   gpu.pci_address, std::string(word(session.gpus().nearness(nic)))});
    const std::string warning = warning_of(session, own.back(), nic);
    if (!warning.empty()) warnings.push_back(warning);
  }
  const bool known = session.document().ranks[session.rank()].gpus.has_value();
  session.record_gpus(own);
  if (known) return;
  const bool shows = session.options().table != "none";
  if (shows && session.communicator().is_leader()) print(session.document().ranks);
  session.warn(job::all_gather_list(session.communicator(), warnings));
}

}  // namespace railgauge::runner
