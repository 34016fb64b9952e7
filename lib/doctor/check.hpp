#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "doctor/facts.hpp"
#include "finding/cause.hpp"
#include "finding/outcome.hpp"
#include "json/members.hpp"

namespace railgauge::doctor {

/// What a check says of one subject.
enum class Verdict : std::uint8_t {
  pass,
  skip,     ///< it does not apply here; the reason is in the answer
  unknown,  ///< it could not be read, or not understood; never success
  warn,
  fail,
};

/// "PASS", "SKIP", "UNKNOWN", "WARN", "FAIL". Empty: the number is none of them.
[[nodiscard]] std::string_view word(Verdict verdict);

struct Answer {
  Verdict verdict = Verdict::pass;
  std::string observed{};  ///< "x8"; of what could not be read, empty
  std::string expected{};  ///< "x16"; empty: nothing in particular
  std::string remark{};    ///< why it is unknown or skipped, or what is wrong with it
  std::map<std::string, std::int64_t> counters{};  ///< that tell it, and by how much they moved
  finding::Direction direction = finding::Direction::both;  ///< in which it is so
};

/// What a site wants. What it does not say is judged by what is usual.
struct Expectations {
  int mtu_bytes = 4200;  ///< RoCE's headers and 4096 bytes fit
  std::optional<double> gigabits_per_second{};
  std::optional<int> priority{};  ///< that carries RoCE
  std::optional<int> dscp{};
  std::optional<int> cnp_dscp{};
  std::optional<bool> pfc{};
  std::optional<bool> ecn{};
  std::string driver{};
  std::string firmware{};
  std::string kernel{};
  std::vector<finding::Waiver> waivers{};

  /// railgauge/doctor-policy/1
  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.strict();
    visit.schema("railgauge/doctor-policy/1");
    visit.within("mtu_bytes", self.mtu_bytes, 68, 65535);  // RFC 791
    visit.positive("gigabits_per_second", self.gigabits_per_second);
    visit.within("priority", self.priority, 0, 7);
    visit.within("dscp", self.dscp, 0, 63);
    visit.within("cnp_dscp", self.cnp_dscp, 0, 63);
    RAILGAUGE_VISIT(pfc, ecn, driver, firmware, kernel, waivers);
  }
};

/// What a check judges: the texts of all that it reads, none of which could not be read.
struct Inputs {
  const std::vector<std::string>& values;
  const Subject& subject;
  const Expectations& wanted;
  const Hosts& hosts;
};

using Judge = Answer (*)(const Inputs& inputs);

/// Where a check applies; elsewhere it is skipped. Bits.
enum Needs : std::uint8_t {
  anything = 0,
  hardware = 1U << 0U,    ///< no software device
  pci = 1U << 1U,         ///< a PCI function
  bare_metal = 1U << 2U,  ///< no virtual machine: the hypervisor decides, and hides it
  roce = 1U << 3U,        ///< a port that speaks RoCE: no InfiniBand, no EFA
  whole_card = 1U << 4U,  ///< no virtual function: the physical one decides
  mlx5 = 1U << 5U,        ///< NVIDIA's driver, which alone has such files
};

/// Whose observed values have to be alike, or must not be.
enum class Alike : std::uint8_t {
  no,
  hosts,   ///< all of them
  models,  ///< those of devices of one model
  never,   ///< no two are the same
};

/// How long a check takes, and what it touches.
enum class Level : std::uint8_t {
  reading,   ///< "static": reads only
  interval,  ///< "interval": compares counters with an earlier recording
  pair,      ///< "pair": judges what a test of pairs found
  fabric,    ///< "fabric": judges what tests under load found
};

/// "static", "interval", "pair", "fabric". Empty: the number is none of them.
[[nodiscard]] std::string_view word(Level level);

/// A check is one row of data.
struct Check {
  std::string_view name{};   ///< "pcie-width"
  std::string_view group{};  ///< "pcie"; empty: that of its file
  std::string_view title;    ///< of what it looks at, in sentences: "PCIe link width"
  Kind of = Kind::host;
  std::vector<std::string_view> reads{};  ///< patterns of paths: "class/net/{netdev}/mtu"
  std::string_view expects{};             ///< in words
  std::uint8_t needs = anything;
  /// What it means that one of the files is not there, as a clause: the check is skipped. Empty: it
  /// is UNKNOWN.
  std::string_view absent{};
  /// A pure function. None: whatever could be read is right by itself; of the fabric: see `adopts`.
  Judge judge = nullptr;
  Alike alike = Alike::no;
  Verdict if_odd = Verdict::warn;        ///< of a value that is not alike
  std::vector<finding::Cause> adopts{};  ///< of the fabric: these of checks::check_rails()
  /// Or of another test's result, of that kind, the findings whose last evidence is one of these
  /// metrics; without metrics, all.
  std::string_view adopts_from{};
  std::vector<std::string_view> metrics{};
  /// What that test has to have counted for its silence to mean anything, and what it means if it
  /// counted none. Empty: nothing.
  std::string_view counts{};
  Verdict if_none = Verdict::pass;
  bool if_bad_paths = false;  ///< that test is needed only where a test of pairs found one
  finding::Cause cause = finding::Cause::host_setting;
  std::string_view remedy{};  ///< a command to type, or what to do
  std::string_view source{};  ///< where the rule is from
  Level level = Level::reading;
};

using Checks = std::vector<Check>;

/// All of them, group by group.
[[nodiscard]] const Checks& all_checks();

/// The check of that name; nullptr if there is none.
[[nodiscard]] const Check* find_check(std::string_view name);

/// The checks of that name, or of that group. Empty: there is neither.
[[nodiscard]] std::vector<const Check*> named(std::string_view name_or_group);

/// What the check says of a subject of its kind, by itself.
[[nodiscard]] Answer answer_of(const Check& check, const Subject& subject,
                               const Expectations& wanted, const Hosts& hosts);

// The rows, a file for each group. What all of a group have in common: check.cpp.
[[nodiscard]] Checks identity_checks();
[[nodiscard]] Checks link_checks();
[[nodiscard]] Checks pcie_checks();
[[nodiscard]] Checks cpu_checks();
[[nodiscard]] Checks addressing_checks();
[[nodiscard]] Checks roce_checks();
[[nodiscard]] Checks container_checks();
[[nodiscard]] Checks time_checks();
[[nodiscard]] Checks counter_checks();
[[nodiscard]] Checks pair_checks();
[[nodiscard]] Checks fabric_checks();

}  // namespace railgauge::doctor
