#include <algorithm>
#include <map>

#include "verdict/logs/formats.hpp"
#include "verdict/logs/table.hpp"

namespace railgauge::verdict {
namespace {

/// "# OSU MPI-CUDA Allreduce Latency Test v7.4"
struct Title {
  std::string api{};  // "MPI", "MPI_Put", "NCCL"
  std::string
      subject{};  // "allreduce": what stands between the API and the quantity, in lower case
  std::string quantity{};  // "latency", "bandwidth" or ""
};

std::optional<Title> title_of(std::string_view line) {
  const auto behind = after(line, "# OSU ");
  if (!behind) return std::nullopt;
  Title title;
  for (const std::string_view word : words_of(*behind)) {
    const std::string name = lower(word);
    if (name == "test") break;
    if (title.api.empty()) {
      title.api = word.substr(0, word.find('-'));
    } else if (name == "latency" || name == "bandwidth") {
      title.quantity = name;
    } else {
      title.subject += (title.subject.empty() ? "" : " ") + name;
    }
  }
  return title;
}

bool is_title(std::string_view line) {
  return title_of(line).has_value();
}

/// Collective libraries have the same tests as MPI.
std::string library_of(const Title& title) {
  return title.api == "NCCL" || title.api == "RCCL" || title.api == "XCCL" ? title.api : "";
}

bool is_plain(const Title& title) {
  return title.api == "MPI" || !library_of(title).empty();
}

/// "osu_bw", "osu_put_bibw": the program of a test of two ranks; empty if it is none.
std::string pair_program(const Title& title) {
  if (title.subject == "multiple / message rate") return "osu_mbw_mr";
  const bool both = title.subject == "bi-directional";
  if (!both && !title.subject.empty()) return "";
  const std::string what = title.quantity == "latency" ? "latency" : both ? "bibw" : "bw";
  if (title.quantity.empty() || (both && what == "latency")) return "";
  if (is_plain(title)) return "osu_" + what;
  if (!title.api.starts_with("MPI_")) return "";
  return "osu_" + lower(title.api.substr(4)) + "_" + what;
}

std::string program_of(const Title& title) {
  std::string pair = pair_program(title);
  if (!pair.empty()) return pair;
  if (!is_plain(title) || title.quantity != "latency") return "";
  if (title.subject == "all-to-all personalized exchange") return "alltoall";
  if (title.subject == "all-to-allv personalized exchange") return "alltoallv";
  return collective_called(title.subject);
}

std::string type_of_mpi(std::string_view mpi) {
  static const std::map<std::string_view, std::string> kTypesOfMpi{
      {"MPI_CHAR", "int8"}, {"MPI_INT", "int32"}, {"MPI_FLOAT", "float"}};
  const auto found = kTypesOfMpi.find(mpi.substr(0, mpi.find('.')));
  return found == kTypesOfMpi.end() ? "" : found->second;
}

class OsuReader final : public TableReader {
 public:
  using TableReader::TableReader;

 private:
  bool statement(std::string_view line) override {
    if (const auto title = title_of(line)) {
      begin_test(*title, line);
    } else if (const auto type = after(line, "# Datatype:")) {
      common_.type = type_of_mpi(*type);
    } else if (const auto pairs = after(line, "# [ pairs: ")) {
      if (const auto count = small_number(first_word(*pairs))) run().ranks = 2 * *count;
    } else {
      return false;
    }
    return true;
  }

  void begin_test(const Title& title, std::string_view line) {
    const std::string program = program_of(title);
    const bool pair = program.starts_with("osu_");
    common_ = {};
    begin({.collective = program,
           .ranks = pair ? std::optional<int>(2) : stated_.ranks,
           .library = library_of(title)},
          program.empty() ? "no test that is read: " + std::string(line) : "");
    sizes_ = sizes_of_mpi(program);
  }

  /// Collectives have means over ranks; pairs bandwidths, or "Latency (us)" until version 7.4.
  [[nodiscard]] std::string why_other_head() const override {
    const std::string& program = run().collective;
    const bool pair = program.starts_with("osu_");
    const bool bandwidth = pair && !program.ends_with("latency");
    const bool fits = has_column(head(), Column::algbw) == bandwidth &&
                      has_column(head(), Column::size) != (program == "barrier") &&
                      (pair || has_column(head(), Column::mean));
    return fits ? "" : "a head whose columns are not those of its title";
  }
};

}  // namespace

const Format kOsu{"osu", has_line<is_title>, read_by<OsuReader>};

}  // namespace railgauge::verdict
