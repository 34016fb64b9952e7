// Who is it, and is it as the others are: devices, drivers, versions, identifiers.

#include "doctor/judging.hpp"
#include "finding/words.hpp"

namespace railgauge::doctor {
namespace {

using finding::Cause;

Answer has_devices(const Inputs& in) {
  const std::size_t devices = in.subject.facts->map.devices.size();
  if (devices > 0) return passed(std::to_string(devices));
  return failed("0", "at least 1", "the driver is not loaded, or this is a container without them");
}

Answer are_all_there(const Inputs& in) {
  if (in.hosts.missing.empty()) return passed(std::to_string(in.hosts.facts.size()));
  constexpr std::size_t kMost = 8;
  return {.verdict = Verdict::unknown,
          .remark = "no recording of " + finding::first_of(in.hosts.missing, kMost) +
                    ": did not answer, or cannot write to the folder of the recordings"};
}

Answer has_driver(const Inputs& in) {
  const std::string& driver = in.subject.device->pci.driver;
  if (driver.empty())
    return {.verdict = Verdict::unknown, .remark = "no driver of its PCI function was recorded"};
  if (!in.wanted.driver.empty() && driver != in.wanted.driver)
    return failed(driver, in.wanted.driver, "the policy says so");
  return passed(driver);
}

Answer is_firmware(const Inputs& in) {
  const std::string& firmware = in.values.front();
  if (firmware.empty()) return not_understood(firmware);
  if (!in.wanted.firmware.empty() && firmware != in.wanted.firmware)
    return failed(firmware, in.wanted.firmware, "the policy says so");
  return passed(firmware);
}

Answer is_kernel(const Inputs& in) {
  const std::string& kernel = in.values.front();
  if (!in.wanted.kernel.empty() && kernel != in.wanted.kernel)
    return failed(kernel, in.wanted.kernel, "the policy says so");
  return passed(kernel);
}

Answer is_guid(const Inputs& in) {
  const std::string& guid = in.values.front();
  if (guid.find_first_not_of("0:") == std::string::npos) return failed(guid, "not zero");
  return passed(guid);
}

Answer is_mac(const Inputs& in) {
  const std::string& mac = in.values.front();
  if (in.subject.device->software) return not_applicable("it is a software device");
  if (mac.find_first_not_of("0:") == std::string::npos) return failed(mac, "not zero");
  return passed(mac);
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): rows of data
Checks identity_checks() {
  return {
      {.name = "recording",
       .title = "number of hosts",
       .of = Kind::fabric,
       .expects = "every host that --expect names",
       .judge = are_all_there,
       .cause = Cause::not_tested,
       .remedy = "check that the host is up, and that the folder of the recordings is shared",
       .source = "own rule: what was not asked is UNKNOWN"},
      {.name = "rdma-device",
       .title = "number of RDMA devices",
       .expects = "at least 1",
       .judge = has_devices,
       .cause = Cause::missing_rail,
       .remedy = "load the driver (modprobe mlx5_ib, bnxt_re, irdma, ionic_rdma, efa or rdma_rxe)",
       .source = "Meta GCM check_iblink: MISBIND"},
      {.name = "verbs-access",
       .title = "access to its /dev/infiniband/uverbs file",
       .of = Kind::device,
       .reads = {"process/verbs/{device}"},
       .expects = "this user may read and write it",
       .needs = hardware,
       .remedy = "chmod a+rw /dev/infiniband/uverbs*; of a container: --device=/dev/infiniband",
       .source = "rdma-core, udev rules"},
      {.name = "driver",
       .title = "driver",
       .of = Kind::device,
       .expects = "the policy's; the same on all devices of one model",
       .needs = hardware | pci,
       .judge = has_driver,
       .alike = Alike::models,
       .cause = Cause::software_version,
       .remedy = "lspci -k -s {pci}; load the driver that the other hosts have",
       .source = "Meta GCM check_iblink: MISBIND"},
      {.name = "driver-version",
       .title = "driver version",
       .of = Kind::port,
       .reads = {"ethtool/{netdev}/driver-version"},
       .expects = "the same on all devices of one model",
       .needs = hardware | roce,
       .alike = Alike::models,
       .cause = Cause::software_version,
       .remedy = "ethtool -i {netdev}; install the version that the other hosts have",
       .source = "Meta GCM check_iblink; AMD CVS host_config"},
      {.name = "firmware",
       .title = "firmware",
       .of = Kind::device,
       .reads = {"class/infiniband/{device}/fw_ver"},
       .expects = "the policy's; the same on all devices of one model",
       .needs = hardware,
       .judge = is_firmware,
       .alike = Alike::models,
       .cause = Cause::firmware,
       .remedy = "devlink dev flash pci/{pci} file FILE: the version that the other hosts have",
       .source = "Meta GCM: FIRMWARE_MISMATCH; Imbue config.json"},
      {.name = "firmware-pending",
       .title = "firmware that is stored and does not run",
       .of = Kind::device,
       .reads = {"devlink/{pci}/pending"},
       .expects = "none",
       .needs = hardware | pci | whole_card | bare_metal,
       .absent = "its driver does not report versions by devlink",
       .judge = [](const Inputs& in) { return is_word(in, "none"); },
       .cause = Cause::firmware,
       .remedy = "devlink dev reload pci/{pci} action fw_activate, or power the host off and on",
       .source = "kernel devlink-info: stored versions run after a reset"},
      {.name = "board",
       .title = "board",
       .of = Kind::device,
       .reads = {"class/infiniband/{device}/board_id"},
       .expects = "the same on all devices of one model",
       .needs = hardware,
       .absent = "its driver does not report the board",
       .alike = Alike::models,
       .cause = Cause::nic_model,
       .remedy = "check that the NICs are of one product",
       .source = "Meta GCM check_iblink; Imbue config.json"},
      {.name = "node-guid",
       .title = "node GUID",
       .of = Kind::device,
       .reads = {"class/infiniband/{device}/node_guid"},
       .expects = "not zero",
       .needs = roce,
       .judge = is_guid,
       .cause = Cause::duplicate_guid,
       .remedy = "reset the GUID to that of the board",
       .source = "InfiniBand Architecture Specification: GUIDs are unique and not zero"},
      {.name = "unique-guid",
       .title = "node GUIDs",
       .of = Kind::fabric,
       .expects = "no two hosts have the same",
       .adopts = {Cause::duplicate_guid},
       .source = "InfiniBand Architecture Specification: GUIDs are unique"},
      {.name = "unique-name",
       .title = "host names",
       .of = Kind::fabric,
       .expects = "no two hosts have the same",
       .adopts = {Cause::duplicate_name},
       .source = "own rule: findings name hosts"},
      {.name = "mac",
       .title = "MAC address",
       .of = Kind::port,
       .reads = {"class/net/{netdev}/address"},
       .expects = "not zero, and no other port has the same",
       .needs = hardware | roce,
       .judge = is_mac,
       .alike = Alike::never,
       .if_odd = Verdict::fail,
       .cause = Cause::duplicate_address,
       .remedy = "ip link set {netdev} address MAC; look for a cloned configuration",
       .source = "IEEE 802: MAC addresses are unique"},
      {.name = "nic-model",
       .title = "models of the rails' NICs",
       .of = Kind::fabric,
       .expects = "one model on all hosts",
       .adopts = {Cause::nic_model},
       .source = "Meta GCM check_iblink; AMD CVS host_config"},
      {.name = "kernel",
       .title = "kernel",
       .reads = {"proc/sys/kernel/osrelease"},
       .expects = "the policy's; the same on all hosts",
       .judge = is_kernel,
       .alike = Alike::hosts,
       .cause = Cause::software_version,
       .remedy = "uname -r; install the kernel that the other hosts have",
       .source = "Imbue cluster-health config.json"},
      {.name = "build",
       .title = "railgauge that recorded it",
       .reads = {"railgauge/version"},
       .expects = "the same on all hosts",
       .alike = Alike::hosts,
       .if_odd = Verdict::fail,
       .cause = Cause::software_version,
       .remedy = "railgauge --version; install the same railgauge on all hosts",
       .source = "own rule: one benchmark on all hosts"},
      {.name = "cpu-model",
       .title = "CPU model",
       .reads = {"cpu/model"},
       .expects = "the same on all hosts",
       .alike = Alike::hosts,
       .cause = Cause::host_setting,
       .remedy = "lscpu; keep hosts of one model in one job",
       .source = "own rule: hosts of one kind are comparable"},
  };
}

}  // namespace railgauge::doctor
