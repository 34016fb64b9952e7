#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <sstream>

#include "topology/bundle.hpp"
#include "topology/fabric_cases.hpp"
#include "topology/report.hpp"

namespace railgauge::topology::table {
namespace {

bool has_all(const std::string& sentence, const Parts& parts) {
  return std::ranges::all_of(
      parts, [&](const auto& part) { return sentence.find(part) != std::string::npos; });
}

Report judged(const FabricCase& one) {
  std::vector<HostMap> maps;
  for (const Board& board : one.boards) maps.push_back(read_host(recorded(board)));
  return report_on(std::move(maps), one.wishes);
}

/// Whatever the width of a terminal.
std::string on_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

/// What is amiss with the answer; "" if it is the expected one.
std::string amiss(const FabricCase& one, const Report& report) {
  std::string text;
  for (const Parts& fault : one.faults) {
    const bool named = std::ranges::any_of(
        report.wrong, [&](const auto& sentence) { return has_all(sentence, fault); });
    if (!named) text += "not named: " + fault.front() + "; ";
  }
  if (report.wrong.size() > one.faults.size()) text += "accuses: " + report.wrong.back() + "; ";
  for (const HostReport& host : report.hosts) {
    if (one.rails == 0 || static_cast<int>(rails_of(host.rails)) == one.rails) continue;
    return text + host.map.host + " has " + std::to_string(rails_of(host.rails)) + " rails; ";
  }
  for (const Nic& nic : report.hosts.front().rails) {
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
  const std::string table = on_one_line(as_table(report));
  for (const std::string& part : one.said) {
    if (!has_all(table, {part})) text += "not said: " + part + "; ";
  }
  return text;
}

/// Prints a row for every fabric; returns how many were not answered as expected.
int missed(const char* kind, const std::vector<FabricCase>& all) {
  int count = 0;
  for (const FabricCase& one : all) {
    const Report report = judged(one);
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
        "arm_single_socket", "cgroup", "no_device", "rxe_recorded"}) {
    EXPECT_EQ(report_on({bundle(name)}).wrong, Parts{}) << name;
  }
}

/// How long it takes is for people to see: no test depends on it.
TEST(FabricTable, PrintsHowLong255HostsTake) {
  std::vector<HostMap> maps;
  for (const Board& board : fabric(255)) maps.push_back(read_host(recorded(board)));
  const auto start = std::chrono::steady_clock::now();
  const Report report = report_on(std::move(maps));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::cout << "255 hosts x 8 rails: " << took.count() << " s\n";
  EXPECT_EQ(report.hosts.size(), 255U);
}

}  // namespace
}  // namespace railgauge::topology::table
