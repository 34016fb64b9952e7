#include "predict/network.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace railgauge::predict {

using fabric::Count;

namespace {

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31U);
}

double payload_bytes_per_us(double gbps, int mtu) {
  return gbps * 1000 / 8 * fabric::payload_fraction(mtu);
}

}  // namespace

const char* word(LinkKind kind) {
  static constexpr std::array kWords{"NVLink", "NIC", "leaf-spine link", "inter-pod link"};
  return kWords.at(static_cast<std::size_t>(kind));
}

double nic_bytes_per_us(const fabric::Fabric& fabric, int mtu_bytes) {
  return payload_bytes_per_us(nic_gbps(fabric), mtu_bytes);
}

Network::Network(const fabric::Fabric& fabric, Count gpus_per_host, const Routing& routing)
    : fabric_(fabric), parts_(parts_of(fabric)), routing_(routing), seed_(routing.seed) {
  if (routing.dead_spines > 0 && routing.dead_spines >= fabric.spines) {
    throw std::invalid_argument("--fail spine=" + std::to_string(routing.dead_spines) +
                                ": a leaf has " + std::to_string(fabric.spines) +
                                " spines, and one has to be left");
  }
  const double nic = nic_bytes_per_us(fabric, routing.mtu_bytes);
  add(gpu_out_, fabric.hosts * gpus_per_host, routing.nvlink_bytes_per_us);
  add(gpu_in_, fabric.hosts * gpus_per_host, routing.nvlink_bytes_per_us);
  add(nic_out_, nics_of(fabric), nic);
  add(nic_in_, nics_of(fabric), nic);
  add_switch_links();
}

void Network::add(Index& first, Count links, double bytes_per_us) {
  first = static_cast<Index>(bytes_per_us_.size());
  bytes_per_us_.insert(bytes_per_us_.end(), links, bytes_per_us);
}

void Network::add_switch_links() {
  const bool spray = routing_.balance == Balance::spray;
  const auto links = [&](double number, double gbps) {
    return payload_bytes_per_us(gbps * number * static_cast<double>(fabric_.planes),
                                routing_.mtu_bytes);
  };
  const Count leaves = parts_.leaves / fabric_.planes;
  uplinks_ = static_cast<Index>(spray ? std::min<Count>(1, fabric_.spines) : parts_.leaf_up_ports);
  spines_ = static_cast<Index>(spray ? 1 : fabric_.spines);
  spine_ups_ =
      static_cast<Index>(spray ? std::min<Count>(1, fabric_.cores) : parts_.spine_up_ports);
  double per_link = spray ? fabric::real(parts_.spine_up_ports * fabric_.spines) : 1;
  if (joins_pods_directly(fabric_)) {
    to_pod_ = static_cast<Index>(spray ? 1 : fabric_.core_bundle);
    spine_ups_ = to_pod_ * static_cast<Index>(parts_.pods);
    per_link = spray ? fabric::real(fabric_.core_bundle * fabric_.spines) : 1;
  }
  const double up = links(spray ? fabric::real(parts_.leaf_up_ports) : 1, fabric_.up_gbps);
  const double core = links(per_link, fabric_.core_gbps);
  const Count sets = fabric_.spines == 0 ? 0 : parts_.spines / fabric_.planes / fabric_.spines;
  add(leaf_up_, leaves * uplinks_, up);
  add(leaf_down_, leaves * uplinks_, up);
  add(spine_up_, sets * spines_ * spine_ups_, core);
  add(spine_down_, to_pod_ > 0 ? 0 : sets * spines_ * spine_ups_, core);
  turn_.assign(leaves, 0);
  if (spray && routing_.dead_spines > 0) slow_down_for_dead_spines();
}

void Network::slow_down_for_dead_spines() {
  const double alive = 1 - fabric::real(routing_.dead_spines) / fabric::real(fabric_.spines);
  for (Count leaf = 0; leaf < turn_.size(); ++leaf) {
    if (spine_set(leaf) != 0) continue;
    bytes_per_us_[leaf_up_ + leaf] *= alive;
    bytes_per_us_[leaf_down_ + leaf] *= alive;
  }
  if (spine_ups_ == 0) return;
  for (Count pod = 1; pod < parts_.pods && to_pod_ > 0; ++pod) {  // of the first set, and to it
    bytes_per_us_[spine_up_ + pod] *= alive;
    bytes_per_us_[spine_up_ + pod * spine_ups_] *= alive;
  }
  if (to_pod_ > 0) return;
  bytes_per_us_[spine_up_] *= alive;
  bytes_per_us_[spine_down_] *= alive;
}

Count Network::leaf_of(const Endpoint& end) const {
  return fabric::leaf_of(fabric_, end.host, end.nic);
}

bool Network::crosses(const Endpoint& from, const Endpoint& to) const {
  return from.host != to.host && leaf_of(from) != leaf_of(to);
}

/// Spines that a leaf reaches are a set: one for each pod, and rail if rails are not joined.
Count Network::spine_set(Count leaf) const {
  const Count rail = fabric_.joined_rails ? 0 : leaf / parts_.blocks;
  const Count pod = fabric_.pod_blocks == 0 ? 0 : leaf % parts_.blocks / fabric_.pod_blocks;
  return rail * parts_.pods + pod;
}

Count Network::dead_between(Count leaf, Count other) const {
  return spine_set(leaf) == 0 || spine_set(other) == 0 ? routing_.dead_spines : 0;
}

double Network::alive_uplinks() const {
  return fabric::real((fabric_.spines - routing_.dead_spines) * fabric_.bundle);
}

std::uint32_t Network::flows_of_message() const {
  return routing_.balance == Balance::spray ? 1 : routing_.queue_pairs;
}

void Network::begin_step() {
  std::ranges::fill(turn_, 0);
}

Network::Index Network::nic_link(Index first, const Endpoint& end) const {
  return first + static_cast<Index>(end.host * fabric_.nics + end.nic);
}

/// The uplink of a flow; the spines that are dead are the first ones.
Network::Index Network::chosen(const Endpoint& from, const Endpoint& to, std::uint64_t hash) {
  if (uplinks_ == 1) return 0;
  const Count leaf = leaf_of(from);
  const auto dead = static_cast<Index>(dead_between(leaf, leaf_of(to)) * fabric_.bundle);
  const Index alive = uplinks_ - dead;
  if (hashes(routing_.balance)) return dead + static_cast<Index>(hash % alive);
  if (routing_.balance == Balance::adaptive) return dead + turn_[leaf]++ % alive;
  const Count each = fabric_.by_rail ? 1 : fabric_.nics;
  const Count place = to.host % fabric_.hosts_per_leaf * each + (fabric_.by_rail ? 0 : to.nic);
  const auto wanted = static_cast<Index>(place % uplinks_);
  return wanted >= dead ? wanted : dead + wanted % alive;
}

void Network::add_core_path(Count from, Count to, Index uplink, std::uint64_t hash,
                            std::vector<std::uint32_t>& links) const {
  const Index spine = spines_ == 1 ? 0 : uplink / static_cast<Index>(fabric_.bundle);
  if (to_pod_ > 0) {
    const auto pod = static_cast<Index>(to % parts_.blocks / fabric_.pod_blocks);
    links.push_back(spine_up_ + static_cast<Index>(spine_set(from) * spines_ + spine) * spine_ups_ +
                    pod * to_pod_ + static_cast<Index>(hash / 7919 % to_pod_));
    return;
  }
  const auto port = static_cast<Index>(hash / 7919 % spine_ups_);
  links.push_back(spine_up_ + static_cast<Index>(spine_set(from) * spines_ + spine) * spine_ups_ +
                  port);
  links.push_back(spine_down_ + static_cast<Index>(spine_set(to) * spines_ + spine) * spine_ups_ +
                  port);
}

void Network::path(const Endpoint& from, const Endpoint& to, std::uint32_t number,
                   std::vector<std::uint32_t>& links) {
  if (from.host == to.host && !routing_.inside_by_nics) {
    links.insert(links.end(), {gpu_out_ + from.gpu, gpu_in_ + to.gpu});
    return;
  }
  Endpoint source = from;
  if (!fabric_.joined_rails && from.nic != to.nic) {  // over NVLink to the GPU of that rail
    source.nic = to.nic;
    links.push_back(gpu_out_ + from.gpu);
  }
  links.push_back(nic_link(nic_out_, source));
  if (crosses(source, to) && uplinks_ > 0) {
    const std::uint64_t hash =
        mixed(mixed(seed_ ^ (std::uint64_t{from.gpu} << 32U | to.gpu)) + number);
    const Count leaf = leaf_of(source);
    const Count other = leaf_of(to);
    const Index up = chosen(source, to, hash);
    links.push_back(leaf_up_ + static_cast<Index>(leaf) * uplinks_ + up);
    if (spine_set(leaf) != spine_set(other)) add_core_path(leaf, other, up, hash, links);
    // A spine hashes again where several links lead to the leaf.
    const auto bundle = static_cast<Index>(uplinks_ == 1 ? 1 : fabric_.bundle);
    const bool hashed = hashes(routing_.balance);
    const Index copy = hashed ? static_cast<Index>((hash >> 40U) % bundle) : up % bundle;
    links.push_back(leaf_down_ + static_cast<Index>(other) * uplinks_ + up / bundle * bundle +
                    copy);
  }
  links.push_back(nic_link(nic_in_, to));
}

LinkKind Network::kind_of(std::uint32_t link) const {
  if (link < nic_out_) return LinkKind::nvlink;
  if (link < leaf_up_) return LinkKind::nic;
  return link < spine_up_ ? LinkKind::leaf : LinkKind::core;
}

std::string Network::name_of(std::uint32_t link) const {
  const auto nth = [](const char* what, Index number) { return what + std::to_string(number); };
  if (link < nic_out_) return nth("NVLink of GPU ", link < gpu_in_ ? link : link - gpu_in_);
  if (link < leaf_up_) {
    const Index at = link < nic_in_ ? link - nic_out_ : link - nic_in_;
    const auto nics = static_cast<Index>(fabric_.nics);
    return nth("host", at / nics) + nth(" NIC ", at % nics) + (link < nic_in_ ? " TX" : " RX");
  }
  if (link >= spine_up_ && to_pod_ > 0) {
    const Index at = link - spine_up_;
    return nth("link from pod ", at / spine_ups_ / spines_ % static_cast<Index>(parts_.pods)) +
           nth(" to pod ", at % spine_ups_ / to_pod_);
  }
  if (link >= spine_up_) return nth("spine-core link ", link - spine_up_);
  const bool up = link < leaf_down_;
  const Index at = link - (up ? leaf_up_ : leaf_down_);
  const std::string leaf = fabric::name_of(fabric_, {fabric::Tier::leaf, at / uplinks_});
  const std::string what = up ? " uplink" : " downlink";
  if (uplinks_ == 1) return leaf + what + "s";
  const auto bundle = static_cast<Index>(fabric_.bundle);
  return leaf + nth((what + " ").c_str(), at % uplinks_) +
         nth(up ? " (to spine" : " (from spine", at % uplinks_ / bundle) + ")";
}

}  // namespace railgauge::predict
