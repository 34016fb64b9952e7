#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

#include "schedule/collective.hpp"
#include "verdict/logs/formats.hpp"
#include "verdict/logs/table.hpp"

namespace railgauge::verdict {
namespace {

/// The collective that a word of a command names: none, or empty for one that railgauge does not
/// know.
using Named = std::optional<std::string>;

/// "all_reduce_test", "allreduce_test_perf"
Named of_program(std::string_view word) {
  const std::string name(word.substr(word.rfind('/') + 1));
  const std::size_t end = name.find("_test");
  if (end == std::string::npos) return std::nullopt;
  const std::string known = collective_called(name.substr(0, end));
  const bool variant = std::ranges::any_of(schedule::collectives(), [&](const auto& one) {
    return plain(name).starts_with(plain(one.name));
  });
  return known.empty() && !variant ? Named() : known;
}

/// "allr" of "nccom-test -r 2 allr"
Named of_nccom(std::string_view word) {
  if (word.ends_with("nccom-test")) return "";
  if (word == "allr") return "all_reduce";
  if (word == "allg") return "all_gather";
  if (word == "redsct") return "reduce_scatter";
  return word == "alltoall" ? Named(word) : std::nullopt;
}

constexpr std::string_view kParamName = "COMMS-RES-";

/// The next part of "COMMS-RES-all_reduce-float32-tag", which is taken away.
std::string_view next_part(std::string_view& word) {
  const std::size_t end = std::min(word.find('-'), word.size());
  const std::string_view part = word.substr(0, end);
  word.remove_prefix(std::min(end + 1, word.size()));
  return part;
}

/// "COMMS-RES-all_reduce-float32", "COMMS-RES-all_gather_base"
Named of_param(std::string_view word) {
  constexpr std::string_view kFlat = "_base";  // one tensor in place of a list of them
  if (!word.starts_with(kParamName)) return std::nullopt;
  word.remove_prefix(kParamName.size());
  word = next_part(word);
  if (word.ends_with(kFlat)) word.remove_suffix(kFlat.size());
  return collective_called(word);
}

/// hccl_test divides the size by the ranks itself; its bandwidth has confirmed the size.
bool of_all_ranks(const TableRow&, const std::optional<int>&) {
  return true;
}

/// PARAM's size is that of the tensors that a version looks at; its count of elements is one rank's
/// where the size is of all.
bool of_counted_ranks(const TableRow& row, const std::optional<int>& ranks) {
  const auto is_element = [](std::uint64_t bytes) {
    return bytes <= 8 && std::has_single_bit(bytes);
  };
  if (!row.count || ranks.value_or(0) < 1) return false;
  const std::uint64_t bytes = *row.point.size_bytes / *row.count;
  const auto parts = static_cast<std::uint64_t>(*ranks);
  const std::size_t digits = row.point.type.find_first_of("0123456789");
  if (digits != std::string::npos)
    return 8 * bytes == parts * whole_number(row.point.type.substr(digits)).value_or(0);
  return !is_element(bytes) && bytes % parts == 0 && is_element(bytes / parts);
}

/// mscclpp-test, hccl_test, nccom-test and PARAM: what differs between their tables, which name no
/// collective. At best the command above them does.
struct Vendor {
  std::string_view head;  // the name of a column that only it has
  std::string_view library;
  Named (*collective)(std::string_view word);
  /// Whether a size of all-gather and the like is of all ranks; null: always, of any collective.
  bool (*is_whole)(const TableRow& row, const std::optional<int>& ranks) = nullptr;
  std::size_t short_of = 0;
};

constexpr std::array kVendors{
    Vendor{"data_size(Bytes):", "HCCL", of_program, of_all_ranks},
    Vendor{"count(elems)", "Neuron", of_nccom},
    Vendor{"COMMS-RES", "PARAM", of_param, of_counted_ranks},
    Vendor{"#       size         count     time", "MSCCL++", of_program, nullptr, 5}};

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
    return {.collective = collective, .ranks = ranks_, .library = std::string(vendor_.library)};
  }

  bool statement(std::string_view line) override {
    for (const std::string_view word : words_of(line)) {
      if (const Named named = vendor_.collective(word)) take_name(*named);
      if (word.starts_with(kParamName)) take_type(word.substr(kParamName.size()));
    }
    for (const std::string_view label : {"nccom-test -r ", " world_size: "}) {
      if (const auto ranks = after(line, label)) ranks_ = small_number(first_word(*ranks));
    }
    run().ranks = ranks_;
    // Rank 0 writes of its own data only that they are right.
    if (after(line, ", check result failed, ")) wrong_data("the data of a rank were wrong");
    return false;
  }

  void take_type(std::string_view rest) {
    next_part(rest);
    common_.type = next_part(rest);
  }

  void take_name(const std::string& collective) {
    other_ = collective.empty();
    if (collective != run().collective && !run().points.empty()) begin(fresh(collective));
    run().collective = collective;
  }

  std::string complete(TableRow& row) override {
    constexpr std::array kWhole{"all_reduce", "broadcast", "reduce"};
    const std::string& known = run().collective.empty() ? stated_.collective : run().collective;
    if (other_ && vendor_.is_whole) return "railgauge does not know its collective";
    if (!row.point.size_bytes) return "its size is not that of one collective";
    if (vendor_.is_whole && known.empty()) return "its collective is not known: give --collective";
    const bool whole = !vendor_.is_whole || std::ranges::find(kWhole, known) != kWhole.end() ||
                       vendor_.is_whole(row, ranks_);
    if (!whole) return "whether sizes of " + known + " are one rank's part is not known";
    for (const auto& [type, names] : kTypes) {
      if (std::ranges::find(names, row.point.type) != names.end()) row.point.type = type;
    }
    return TableReader::complete(row);
  }

  static constexpr std::array<std::pair<const char*, std::array<std::string_view, 2>>, 4> kTypes{
      {{"float", {"fp32", "float32"}},
       {"half", {"fp16", "float16"}},
       {"bfloat16", {"bf16", "bfloat16"}},
       {"double", {"fp64", "float64"}}}};

  std::optional<int> ranks_ = stated_.ranks;
  bool other_ = false;  // a collective that railgauge does not know
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
