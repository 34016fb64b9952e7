#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <sstream>

#include "checks/rail_check.hpp"
#include "finding/ranking.hpp"
#include "topology/bundle.hpp"
#include "topology/fabric_cases.hpp"

namespace railgauge::topology::table {
namespace {

// Of a thousand hosts a sanitizer sees no more than of a few, and takes a minute for it: they are
// the release build's.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kMostBoards = 100;
#else
constexpr std::size_t kMostBoards = 1024;
#endif

bool has_all(const std::string& sentence, const Parts& parts) {
  return std::ranges::all_of(
      parts, [&](const auto& part) { return sentence.find(part) != std::string::npos; });
}

/// Hosts, and what the checks say of them, a sentence each.
struct Judged {
  Report report;
  Parts wrong;
  Parts warnings;
  std::string text;
};

Parts sentences_of(const finding::Report& report, finding::Severity severity) {
  Parts all;
  for (const auto& group : grouped(finding::ranked(report.findings))) {
    if (group.first.severity == severity) all.push_back(sentence(group));
  }
  return all;
}

Judged judged(Report report) {
  const finding::Report findings = checks::check_hosts(report);
  const std::string text = as_table(report) + checks::as_text(findings);
  return {std::move(report), sentences_of(findings, finding::Severity::error),
          sentences_of(findings, finding::Severity::warning), text};
}

Judged judged(const FabricCase& one) {
  std::vector<HostMap> maps;
  for (const Board& board : one.boards) maps.push_back(read_host(recorded(board)));
  return judged(report_on(std::move(maps), one.wishes));
}

/// Whatever the width of a terminal.
std::string on_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

/// What is amiss with the answer; "" if it is the expected one.
std::string amiss(const FabricCase& one, const Judged& report) {
  std::string text;
  for (const Parts& fault : one.faults) {
    const bool named = std::ranges::any_of(
        report.wrong, [&](const auto& sentence) { return has_all(sentence, fault); });
    if (!named) text += "not named: " + fault.front() + "; ";
  }
  if (report.wrong.size() > one.faults.size()) text += "accuses: " + report.wrong.back() + "; ";
  for (const HostReport& host : report.report.hosts) {
    if (one.rails == 0 || static_cast<int>(rails_of(host.rails)) == one.rails) continue;
    return text + host.map.host + " has " + std::to_string(rails_of(host.rails)) + " rails; ";
  }
  for (const Nic& nic : report.report.hosts.front().rails) {
    if (nic.planes == one.planes || one.planes == 0) continue;
    return text + name_of(nic) + " is of " + std::to_string(nic.planes) + " planes; ";
  }
  for (const Parts& warning : one.warnings) {
    const bool said = std::ranges::any_of(
        report.warnings, [&](const auto& sentence) { return has_all(sentence, warning); });
    if (!said) text += "no warning: " + warning.front() + "; ";
  }
  if (!one.warnings.empty() && report.warnings.size() > one.warnings.size()) {
    text += "warns: " + report.warnings.back() + "; ";
  }
  for (const std::string& warning : report.warnings) {
    if (one.warnings.empty() && has_all(warning, {"set up like one"})) text += "warns: " + warning;
  }
  const std::string table = on_one_line(report.text);
  for (const std::string& part : one.said) {
    if (!has_all(table, {part})) text += "not said: " + part + "; ";
  }
  return text;
}

/// Prints a row for every fabric; returns how many were not answered as expected.
int missed(const char* kind, const std::vector<FabricCase>& all) {
  int count = 0;
  for (const FabricCase& one : all) {
    if (one.boards.size() > kMostBoards) continue;
    const Judged report = judged(one);
    const std::string wrong = amiss(one, report);
    std::cout << kind << "  " << (wrong.empty() ? "as expected" : "NOT SO     ") << "  " << one.name
              << "\n";
    if (!report.wrong.empty()) std::cout << "                      " << report.wrong[0] << "\n";
    if (!wrong.empty()) std::cout << "           !          " << wrong << "\n";
    if (!wrong.empty() && !report.warnings.empty()) {
      std::cout << "                      warned: " << report.warnings[0] << "\n";
    }
    count += wrong.empty() ? 0 : 1;
  }
  const auto total = static_cast<int>(all.size());
  std::cout << kind << ": " << total - count << " of " << total << " as expected\n";
  EXPECT_GE(total, 40);
  return count;
}

TEST(FabricTable, NamesPlantedFaultsAtTheirCause) {
  EXPECT_EQ(missed("planted", planted_fabrics()), 0);
}

TEST(FabricTable, AccusesNoHealthyHost) {
  EXPECT_EQ(missed("healthy", healthy_fabrics()), 0);
}

/// The recordings of single machines that there are, one of them of a real one.
TEST(FabricTable, AccusesNoRecordedMachine) {
  for (const char* name :
       {"two_sockets_eight_nics", "dual_port", "bonded", "sriov", "software", "vm_without_numa",
        "arm_single_socket", "cgroup", "no_device", "rxe_recorded", "gh200", "gh200_four",
        "knl_snc4_flat", "power9_with_gpu_nodes", "westmere", "twenty_four_nodes"}) {
    EXPECT_EQ(judged(report_on({bundle(name)})).wrong, Parts{}) << name;
  }
}

}  // namespace
}  // namespace railgauge::topology::table
