// What a container or a virtual function cannot see, or does not have.

#include "doctor/judging.hpp"

namespace railgauge::doctor {
namespace {

using finding::Cause;

/// What can be read of it is in this namespace.
Answer sees_netdev(const Inputs& in) {
  return passed(in.subject.netdev);
}

Answer is_physical(const Inputs& in) {
  const std::string& of = in.subject.device->pci.physical_function;
  return passed(of.empty() ? "physical function" : "virtual function");
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): rows of data
Checks container_checks() {
  return {
      {.name = "container",
       .title = "container",
       .reads = {"process/container"},
       .expects = "all hosts, or none",
       .alike = Alike::hosts,
       .remedy = "start all ranks alike",
       .source = "own rule: what a container hides is UNKNOWN"},
      {.name = "virtual-machine",
       .title = "virtual machine",
       .reads = {"cpu/hypervisor"},
       .expects = "all hosts, or none",
       .alike = Alike::hosts,
       .remedy = "keep hosts of one kind in one job",
       .source = "own rule: hosts of one kind are comparable"},
      {.name = "network-namespace",
       .title = "network device of the port",
       .of = Kind::port,
       .reads = {"class/net/{netdev}/mtu"},
       .expects = "is in this network namespace",
       .needs = roce | hardware,
       .judge = sees_netdev,
       .cause = Cause::unreachable,
       .remedy = "start the container with the host's network, or move {netdev} into its namespace",
       .source = "NCCL net_ib: EINVAL of ndevs"},
      {.name = "rdma-namespaces",
       .title = "mode of RDMA devices in network namespaces",
       .reads = {"rdma/network-namespaces"},
       .expects = "the same on all hosts",
       .absent = "the kernel has no RDMA subsystem",
       .alike = Alike::hosts,
       .cause = Cause::unreachable,
       .remedy = "rdma system set netns shared, or exclusive, as on the other hosts",
       .source = "rdma-system(8): exclusive hides devices from other namespaces"},
      {.name = "function",
       .title = "PCI function",
       .of = Kind::device,
       .expects = "all physical, or all virtual, of one model",
       .needs = hardware | pci,
       .judge = is_physical,
       .alike = Alike::models,
       .cause = Cause::nic_model,
       .remedy = "railgauge topo shows which are virtual; choose by --include",
       .source = "UCCL PR 946"},
  };
}

}  // namespace railgauge::doctor
