#include <algorithm>
#include <map>

#include "schedule/collective.hpp"
#include "verdict/logs/formats.hpp"
#include "verdict/logs/table.hpp"

namespace railgauge::verdict {
namespace {

constexpr std::string_view kTitle = "# Benchmarking";

/// Of IMB-MPI1; two ranks' tests keep names of their own. Left out: what moves other amounts than
/// it prints (Exchange), non-blocking and one-sided ones.
std::string imb_program(std::string_view title) {
  static const std::map<std::string_view, std::string> kPrograms{
      {"PingPong", "imb_pingpong"},
      {"PingPing", "imb_pingping"},
      {"Sendrecv", "imb_sendrecv"},
      {"Reduce_scatter_block", "reduce_scatter"},
      {"allgatherv", "all_gather"}};
  const auto found = kPrograms.find(title);
  return found == kPrograms.end() ? collective_called(title) : found->second;
}

bool is_imb_head(std::string_view line) {
  const TableHead head = table_head(line);
  return has_column(head, Column::mean) && line.find("#repetitions") != std::string_view::npos;
}

class ImbReader final : public TableReader {
 public:
  using TableReader::TableReader;

 private:
  bool statement(std::string_view line) override {
    if (const auto version = after(line, "MPI Benchmarks ")) {
      version_ = number(version->substr(0, version->find_first_of(" ,")));
    } else if (const auto title = after(line, kTitle)) {
      const bool colon = title->starts_with(':');
      begin_test(first_word(title->substr(colon ? 1 : 0)), colon);
    } else if (const auto ranks = after(line, "# #processes")) {
      run().ranks =
          small_number(first_word(ranks->substr(std::min<std::size_t>(1, ranks->size()))));
    } else if (const auto type = after(line, "# MPI_Datatype for reductions")) {
      reduced_type_ = type->find("MPI_FLOAT") != std::string_view::npos ? "float" : "";
    } else {
      return false;
    }
    return true;
  }

  void begin_test(const std::string& title, bool of_one_ccl) {
    const std::string program = imb_program(title);
    begin({.collective = program, .library = of_one_ccl ? "oneCCL" : ""},
          program.empty() ? "no benchmark that is read: " + title : "");
    sizes_ = sizes_of_mpi(program);
    if (program == "reduce_scatter") sizes_ = of_reduce_scatter(title, of_one_ccl);
    const auto collective = schedule::collective(program);
    const bool reduces = collective && schedule::reduces(*collective);
    common_.type = reduces ? reduced_type_ : of_one_ccl ? "" : "int8";
    common_.op = reduces ? "" : "none";
  }

  /// Reduce_scatter shared its bytes out among the ranks until IMB 2018; then each receives them.
  [[nodiscard]] Sizes of_reduce_scatter(const std::string& title, bool of_one_ccl) const {
    if (of_one_ccl) return Sizes::unknown;
    const bool shared = title == "Reduce_scatter" && version_.value_or(2019) < 2019;
    return shared ? Sizes::whole : Sizes::one_rank;
  }

  std::string complete(TableRow& row) override {
    std::string why = TableReader::complete(row);
    if (run().collective.starts_with("imb_"))
      row.point.busbw_gigabytes_per_second = row.point.algbw_gigabytes_per_second;
    return why;
  }

  std::optional<double> version_;
  std::string reduced_type_;
};

}  // namespace

const Format kImb{"imb", has_line<is_imb_head>, read_by<ImbReader>};

}  // namespace railgauge::verdict
