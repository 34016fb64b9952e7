#include <algorithm>
#include <array>
#include <cmath>

#include "verdict/logs/formats.hpp"
#include "verdict/logs/table.hpp"

namespace railgauge::verdict {
namespace {

/// mscclpp-test, hccl_test, nccom-test and PARAM: what differs between their tables, which name no
/// collective. At best the command above them does.
struct Vendor {
  std::string_view head;  // the name of a column that only it has
  std::string_view library;
  std::string (*collective)(std::string_view word);  // that a word of its command names
  bool counts_all = false;                           // sizes are nccl-tests' for all collectives
  std::size_t short_of = 0;
};

std::string without_path(std::string_view word) {
  return std::string(word.substr(word.rfind('/') + 1));
}

/// "all_reduce_test", "allreduce_test_perf"
std::string of_program(std::string_view word) {
  const std::string name = without_path(word);
  const std::size_t end = name.find("_test");
  return end == std::string::npos || end == 0 ? "" : collective_called(name.substr(0, end));
}

/// "allr" of "nccom-test -r 2 allr"
std::string of_nccom(std::string_view word) {
  if (word == "allr") return "all_reduce";
  if (word == "allg") return "all_gather";
  return word == "redsct" ? "reduce_scatter" : word == "alltoall" ? "alltoall" : "";
}

/// "COMMS-RES-all_reduce-float32"
std::string of_param(std::string_view word) {
  constexpr std::string_view kBegin = "COMMS-RES-";
  if (!word.starts_with(kBegin)) return "";
  word.remove_prefix(kBegin.size());
  return collective_called(word.substr(0, word.find('-')));
}

constexpr std::array kVendors{
    Vendor{"data_size(Bytes):", "HCCL", of_program},
    Vendor{"count(elems)", "Neuron", of_nccom, true}, Vendor{"COMMS-RES", "PARAM", of_param},
    Vendor{"#       size         count     time", "MSCCL++", of_program, true, 5}};

const Vendor* vendor_of(std::string_view text) {
  for (const Vendor& one : kVendors) {
    for (const std::string_view line : lines_of(text)) {
      if (after(line, one.head) && !table_head(line).empty()) return &one;
    }
  }
  return nullptr;
}

class VendorReader final : public TableReader {
 public:
  VendorReader(const Stated& stated, const Vendor& vendor) : TableReader(stated), vendor_(vendor) {
    untitled_ = true;
    short_of_ = vendor.short_of;
    begin(fresh(""));
  }

 private:
  [[nodiscard]] Run fresh(const std::string& collective) const {
    return {
        .collective = collective, .ranks = stated_.ranks, .library = std::string(vendor_.library)};
  }

  bool statement(std::string_view line) override {
    for (const std::string_view word : words_of(line)) {
      const std::string collective = vendor_.collective(word);
      if (collective.empty() || collective == run().collective) continue;
      if (!run().points.empty()) begin(fresh(collective));
      run().collective = collective;
    }
    if (const auto ranks = after(line, "nccom-test -r "))
      run().ranks = small_number(first_word(*ranks));
    return false;
  }

  std::string complete(TableRow& row) override {
    constexpr std::array kWhole{"all_reduce", "broadcast", "reduce"};
    const std::string& known = run().collective.empty() ? stated_.collective : run().collective;
    const bool whole = std::ranges::find(kWhole, known) != kWhole.end() ||
                       (known == "all_gather" && is_of_all_ranks(row));
    if (!vendor_.counts_all && !whole) {
      return known.empty() ? "its collective is not known: give --collective"
                           : "whether sizes of " + known + " are one rank's part is not known";
    }
    if (row.point.type == "fp32") row.point.type = "float";
    return TableReader::complete(row);
  }

  /// hccl_test's bandwidth of an all-gather is that of all ranks' data.
  [[nodiscard]] bool is_of_all_ranks(const TableRow& row) const {
    constexpr double kTolerance = 0.01;
    constexpr double kBytesPerMicrosecondOfGigabyte = 1e3;
    const Point& point = row.point;
    if (vendor_.library != "HCCL" || !point.size_bytes || !point.time_us || !row.algbw)
      return false;
    const double algbw =
        static_cast<double>(*point.size_bytes) / *point.time_us / kBytesPerMicrosecondOfGigabyte;
    return std::abs(row.algbw->value - algbw) < kTolerance * algbw;
  }

  const Vendor& vendor_;
};

}  // namespace

const Format kVendor{"vendor", [](std::string_view text) { return vendor_of(text) != nullptr; },
                     [](std::string_view text, const Stated& stated) {
                       const Vendor* const vendor = vendor_of(text);
                       return vendor == nullptr ? LogContent{}
                                                : VendorReader(stated, *vendor).read(text);
                     }};

}  // namespace railgauge::verdict
