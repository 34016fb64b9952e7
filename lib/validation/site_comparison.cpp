#include "validation/site_comparison.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "finding/words.hpp"
#include "json/members.hpp"
#include "results/codec.hpp"
#include "verdict/comparison.hpp"
#include "verdict/library.hpp"

namespace railgauge::validation {
namespace {

namespace fs = std::filesystem;
using verdict::Answer;
using verdict::Judgement;
using verdict::Row;
using verdict::Rows;

// What is read of a report.json.

struct ReadStage {
  std::string name{};
  std::string standing{};
  std::string outcome{};
  std::string why{};
  std::string headline{};
  std::optional<std::string> document{};

  /// Of one without an answer; never empty.
  [[nodiscard]] std::string reason() const {
    return !why.empty() ? why : !headline.empty() ? headline : "it does not say why";
  }

  RAILGAUGE_FIELDS((name), (standing), (outcome), why, headline, document)
};

struct ReadCause {
  std::vector<std::string> stages{};
  finding::Finding finding{};

  RAILGAUGE_FIELDS((stages), (finding))
};

struct ReadReport {
  bool software = false;
  std::vector<ReadStage> stages{};
  std::vector<ReadCause> causes{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.schema("railgauge/validation/1");
    RAILGAUGE_VISIT((software), (stages), (causes));
  }
};

fs::path report_in(const fs::path& folder) {
  return folder / "report.json";
}

ReadReport report_of(const fs::path& folder) try {
  ReadReport report;
  json::decode(verdict::read_json(report_in(folder)), report);
  return report;
} catch (const json::FieldError& error) {
  throw std::runtime_error(report_in(folder).string() + ": " + error.what());
}

const ReadStage* stage_named(const ReadReport& report, const std::string& name) {
  const auto found = std::ranges::find(report.stages, name, &ReadStage::name);
  return found == report.stages.end() ? nullptr : &*found;
}

bool was_assessed(const ReadStage* stage) {
  return stage != nullptr && stage->standing == "assessed";
}

bool has(const ReadReport& report, const ReadCause& cause) {
  return std::ranges::any_of(report.causes, [&](const ReadCause& one) {
    return id_of(one.finding) == id_of(cause.finding);
  });
}

/// One that is inconclusive may have no document at all.
bool is_conclusive(const ReadStage* stage) {
  return was_assessed(stage) && stage->outcome != word(finding::Outcome::inconclusive);
}

/// Whether a stage that named the cause came to an answer in the other validation.
bool could_be_seen(const ReadCause& cause, const ReadReport& report) {
  return std::ranges::any_of(cause.stages, [&](const std::string& name) {
    return is_conclusive(stage_named(report, name));
  });
}

class SiteComparison {
 public:
  SiteComparison(fs::path before, fs::path after, const verdict::Terms& terms)
      : before_(std::move(before)),
        after_(std::move(after)),
        terms_(terms),
        then_(report_of(before_)),
        now_(report_of(after_)) {}

  [[nodiscard]] std::vector<Judgement> judgements() const {
    std::vector<Judgement> all{of_site()};
    for (const ReadStage& stage : now_.stages) {
      const ReadStage* const earlier = stage_named(then_, stage.name);
      if (was_assessed(earlier) && was_assessed(&stage) && earlier->document && stage.document)
        all.push_back(of_documents(before_ / *earlier->document, after_ / *stage.document));
    }
    return all;
  }

 private:
  [[nodiscard]] Row row(Answer answer, std::string remark, std::string excuse = "") const {
    return {.criterion = "validation " + before_.string(),
            .answer = answer,
            .remark = std::move(remark),
            .excuse = std::move(excuse)};
  }

  [[nodiscard]] Row of_new_cause(const ReadCause& cause) const {
    const bool doubt = cause.finding.certainty < finding::Certainty::likely;
    Row found = row(doubt ? Answer::open : Answer::failed, "new: " + headline(cause.finding),
                    doubt ? "a doubt" : "");
    found.cause = cause.finding.cause;
    found.where = cause.finding.where;
    return found;
  }

  [[nodiscard]] Row of_earlier_cause(const ReadCause& cause) const {
    const std::string what = headline(cause.finding);
    if (has(now_, cause)) return row(Answer::note, "as before: " + what);
    if (could_be_seen(cause, now_)) return row(Answer::note, "repaired: " + what);
    return row(Answer::open, "not tested again: " + what, "it may be as before");
  }

  /// What a stage ended with, then and now.
  [[nodiscard]] std::optional<Row> of_stage(const ReadStage& earlier) const {
    const ReadStage* const stage = stage_named(now_, earlier.name);
    if (!was_assessed(&earlier)) return std::nullopt;
    if (!was_assessed(stage) && (stage == nullptr || stage->standing == "skipped"))
      return row(Answer::open, earlier.name + " was " + earlier.outcome + ", and was not run again",
                 stage == nullptr ? "it is not in the plan" : stage->reason());
    if (!was_assessed(stage)) return std::nullopt;
    const bool same = stage->outcome == earlier.outcome;
    const bool lost = word(finding::Outcome::pass) == earlier.outcome && !same;
    const bool open = lost || !is_conclusive(stage);
    return row(open   ? Answer::open
               : same ? Answer::passed
                      : Answer::note,
               earlier.name + " is " + stage->outcome + ", was " + earlier.outcome,
               open ? stage->reason() : "");
  }

  [[nodiscard]] Judgement of_site() const {
    verdict::Part part{.criterion = "validation " + before_.string()};
    for (const ReadCause& cause : now_.causes) {
      if (!has(then_, cause)) part.rows.push_back(of_new_cause(cause));
    }
    for (const ReadCause& cause : then_.causes) part.rows.push_back(of_earlier_cause(cause));
    for (const ReadStage& stage : then_.stages) {
      if (const auto found = of_stage(stage)) part.rows.push_back(*found);
    }
    part.report = verdict::report_of(part.rows);
    return {.result = after_.string(), .parts = {part}, .software = now_.software};
  }

  /// Without what the document says of itself: the causes have that.
  [[nodiscard]] Judgement of_documents(const fs::path& earlier, const fs::path& later) const {
    const auto run_set = [](const fs::path& file) {
      return verdict::run_set_of(verdict::input_of(verdict::read_json(file), file), file);
    };
    Judgement judgement =
        compared(run_set(later), {.baselines = {run_set(earlier)}, .terms = terms_});
    std::erase_if(judgement.parts,
                  [](const verdict::Part& part) { return part.criterion == verdict::kOwn; });
    return judgement;
  }

  fs::path before_;
  fs::path after_;
  const verdict::Terms& terms_;
  ReadReport then_;
  ReadReport now_;
};

}  // namespace

bool is_site(const fs::path& folder) {
  return fs::is_directory(folder) && fs::exists(report_in(folder));
}

std::vector<fs::path> documents_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const ReadStage& stage : report_of(folder).stages) {
    if (was_assessed(&stage) && stage.document) files.push_back(folder / *stage.document);
  }
  return files;
}

std::vector<Judgement> compared_sites(const fs::path& before, const fs::path& after,
                                      const verdict::Terms& terms) {
  return SiteComparison(before, after, terms).judgements();
}

}  // namespace railgauge::validation
