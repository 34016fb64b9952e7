#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "doctor/pair_probe.hpp"
#include "finding/location.hpp"
#include "finding/outcome.hpp"
#include "topology/host_map.hpp"
#include "topology/nic_choice.hpp"
#include "topology/report.hpp"

// lib/doctor holds what makes a host fit to be measured: facts that were read, a table of checks,
// and what hosts say of each other. It must not know verbs, MPI, or how anything is measured.

namespace railgauge::doctor {

/// Why a fact is not known.
enum class Gap : std::uint8_t {
  none,     ///< it is known
  absent,   ///< there is no such file: the driver or the kernel has none of that
  refused,  ///< this user may not read it
  failed,   ///< reading it failed
  unasked,  ///< the recording says nothing of it
};

/// How the reason begins of a fact that a recording does not have.
inline constexpr std::string_view kNotRecorded = "not recorded: ";

/// What was read, or why it could not be.
struct Fact {
  std::string text{};
  Gap gap = Gap::none;
  std::string why{};  ///< "cannot read /sys/class/net/eth1/speed: EINVAL"; empty if it is known

  [[nodiscard]] bool known() const { return gap == Gap::none; }
};

/// The first number in a text; empty if it begins with none.
[[nodiscard]] std::optional<double> number_in(const std::string& text);
[[nodiscard]] std::optional<int> whole_in(const std::string& text);

/// What was read of a host.
struct HostFacts {
  topology::Recording recording{};
  topology::HostMap map{};

  /// Of a path as a recording has it: below /sys, or "proc/...", or an answer of the kernel's
  /// ("dcb/eth1/pfc").
  [[nodiscard]] Fact at(const std::string& path) const;
};

/// hwloc's XML is left aside: no check needs it, and reading it takes most of the time.
[[nodiscard]] HostFacts facts_of(topology::Recording recording);

/// A path as people find it: "/sys/class/net/eth1/mtu", "/proc/cmdline", "DCB netlink: eth1 pfc".
[[nodiscard]] std::string source_of(const std::string& path);

/// What a check is about: one of these on each host, or all hosts together.
enum class Kind : std::uint8_t { host, device, port, fabric };

/// "host", "device", "port", "fabric". Empty: the number is none of them.
[[nodiscard]] std::string_view word(Kind kind);

struct History;

/// One thing that is checked.
struct Subject {
  Kind kind = Kind::host;
  std::size_t host = 0;                          ///< its place among the hosts
  const HostFacts* facts = nullptr;              ///< of its host; nullptr: it is the fabric
  const topology::RdmaDevice* device = nullptr;  ///< of a device or port
  const topology::RdmaPort* port = nullptr;
  std::string netdev{};  ///< that the port works through; empty: it is not known
  std::string unused{};  ///< why nobody needs it, as a clause; empty: it has to work
  finding::Location where{};
  std::shared_ptr<const History> history{};  ///< of a port; nullptr: nobody asks

  [[nodiscard]] bool is_virtual_machine() const;
};

/// What another test found of the fabric, with its own places, evidence and remedies.
struct FoundByTest {
  std::string kind{};      ///< of its result: "congestion", "isolate"
  std::string in_short{};  ///< "ECN_FIRST: 120 marks ..."
  /// How often each thing was counted: "ECN marks"; what nobody counts is missing.
  std::map<std::string, std::int64_t> counted{};
  finding::Report report{};
};

/// Hosts, their rails, and all that is to be checked of them.
struct Hosts {
  std::vector<HostFacts> facts{};
  topology::Report rails{};
  std::vector<Subject> subjects{};  ///< they point into `facts`
  /// Whom hosts have as a neighbour: "ADDRESS=MAC", and the first of them that has it. They point
  /// into `facts`, too.
  std::unordered_map<std::string_view, const HostFacts*> neighbours{};
  std::vector<HostFacts> earlier{};   ///< recordings with which counters are compared
  std::optional<PairProbes> pairs{};  ///< how paths did; empty: nobody says
  bool asks_pairs = false;            ///< then that is unknown, and else skipped
  std::vector<FoundByTest> found_by_tests{};
  bool asks_tests = false;             ///< where there is none, that is unknown, and else skipped
  std::vector<std::string> missing{};  ///< hosts that should be there, and were not recorded
};

/// `wishes`: which ports matter. `expected`: hosts that should be there, by name, with or without
/// its domain, or by an address. Throws as topology::report_on().
[[nodiscard]] Hosts understood(std::vector<HostFacts> facts, const topology::NicWishes& wishes,
                               const std::vector<std::string>& expected = {});

/// Adds what a test of pairs found, summed up by port. The packets of a path should arrive in the
/// priority of the receiver's own map of DSCPs, else in the one in which most of the rail's do.
void add_pairs(Hosts& hosts, PairProbes pairs);

/// Compares what ports counted with earlier recordings of their hosts, by name.
void compare_counters(Hosts& hosts, std::vector<HostFacts> earlier);

/// "{netdev}" in a pattern as the subject has it, and likewise {device}, {port}, {pci}. Empty if it
/// has none.
[[nodiscard]] std::string expanded(std::string_view pattern, const Subject& subject);

}  // namespace railgauge::doctor
