#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "draw/escape.hpp"
#include "draw/svg.hpp"
#include "finding/words.hpp"
#include "workload/critical_path.hpp"
#include "workload/rendering.hpp"

namespace railgauge::workload {
namespace {

constexpr int kMargin = 16;
constexpr int kLine = 18;
constexpr int kLane = 22;
constexpr int kBar = 14;
constexpr int kPicture = 900;  // pixels of the step's time
constexpr double kNarrowest = 0.5;

struct Look {
  Kind kind;
  const char* style;
  const char* about;
};
constexpr Look kLooks[]{{Kind::compute, "fill2", "compute"},
                        {Kind::collective, "fill0", "collective"},
                        {Kind::send, "fill1", "send or receive"},
                        {Kind::marker, "fill3", "marker"}};

const Look& look_of(Kind kind) {
  return *std::ranges::find(kLooks, kind, &Look::kind);
}

class TimeLine {
 public:
  TimeLine(const Workload& workload, const Job& job, double bytes_per_us)
      : workload_(workload), job_(job) {
    std::vector<double> task_us;
    task_us.reserve(job.tasks.size());
    for (const Task& task : job.tasks) task_us.push_back(line_rate_us(job, task, bytes_per_us));
    spans_ = spans_of(job, task_us);
    for (const auto& rank : spans_) {
      for (const auto& stream : rank) {
        for (const Span& span : stream) end_us_ = std::max(end_us_, span.end_us);
      }
    }
    for (const auto& streams : job.streams) {
      for (const RankStream& stream : streams)
        left_ = std::max(left_, 2 * kMargin + draw::width_of(stream.name));
    }
  }

  std::string svg() {
    down_ = kMargin + kLine;
    label(kMargin, title());
    legend();
    std::map<std::uint32_t, std::uint32_t> ranks;  // of each class
    for (const std::uint32_t one : job_.class_of) ++ranks[one];
    for (const auto& [number, count] : ranks) add_class(number, count);
    axis();
    return draw::svg_head(workload_.name, title(), left_ + kPicture + kMargin, down_ + kMargin) +
           out_.str() + "</svg>\n";
  }

 private:
  [[nodiscard]] std::string title() const {
    return workload_.name + ", " + finding::counted(job_.ranks, "rank") +
           ": a step at line rate, " + finding::number(end_us_, "us");
  }

  void label(int x, const std::string& text, const char* style = "") {
    out_ << "<text x='" << x << "' y='" << down_ << "'" << style << ">" << draw::escaped(text)
         << "</text>\n";
  }

  void legend() {
    down_ += kLine;
    int across = kMargin;
    for (const Look& look : kLooks) {
      out_ << "<rect class='" << look.style << "' x='" << across << "' y='" << down_ - kBar + 3
           << "' width='" << kBar << "' height='" << kBar << "'/>\n";
      across += kBar + 4;
      label(across, look.about, " class='dim'");
      across += draw::width_of(look.about) + kMargin;
    }
  }

  void add_class(std::uint32_t number, std::uint32_t count) {
    const auto rank =
        static_cast<Rank>(std::ranges::find(job_.class_of, number) - job_.class_of.begin());
    down_ += kLane + kLine / 2;
    label(kMargin,
          "rank " + std::to_string(rank) + ", of " + finding::counted(count, "rank") + " alike");
    for (std::size_t stream = 0; stream < job_.streams[rank].size(); ++stream) {
      down_ += kLane;
      label(kMargin, job_.streams[rank][stream].name, " class='dim'");
      add_lane(rank, job_.streams[rank][stream], spans_[rank][stream]);
    }
  }

  [[nodiscard]] double across(double us) const {
    return left_ + (end_us_ > 0 ? us / end_us_ * kPicture : 0);
  }

  void add_lane(Rank rank, const RankStream& stream, const std::vector<Span>& spans) {
    double drawn = -1;
    for (std::size_t at = 0; at < spans.size(); ++at) {
      const double begin = across(spans[at].begin_us);
      const double end = std::max(across(spans[at].end_us), begin + kNarrowest);
      if (end <= drawn) continue;
      drawn = end;
      bar(rank, stream.entries[at], spans[at], begin, end);
    }
  }

  void bar(Rank rank, const Entry& entry, const Span& span, double begin, double end) {
    const NamedOperation& operation = job_.operations[entry.operation];
    std::string hint = operation.name;
    if (operation.kind == Kind::collective)
      hint += ", " + std::string(schedule::name(operation.type)) + " of " +
              job_.group_names[operation.group];
    if (entry.task != Entry::kNoTask)
      hint += ", " + std::to_string(job_.tasks[entry.task].bytes_of(job_.number_of(entry, rank))) +
              " B";
    hint += ": " + finding::number(span.begin_us, 6) + " to " + finding::number(span.end_us, "us");
    out_ << "<rect class='" << look_of(operation.kind).style << "' x='" << rounded(begin) << "' y='"
         << down_ - kBar + 3 << "' width='" << rounded(end - begin) << "' height='" << kBar
         << "'><title>" << draw::escaped(hint) << "</title></rect>\n";
  }

  static double rounded(double pixels) {
    constexpr double kParts = 10;
    return std::round(kParts * pixels) / kParts;
  }

  void axis() {
    down_ += kLane;
    label(left_, "0", " class='dim'");
    const std::string last = finding::number(end_us_, "us");
    label(left_ + kPicture - draw::width_of(last), last, " class='dim'");
  }

  const Workload& workload_;
  const Job& job_;
  std::vector<std::vector<std::vector<Span>>> spans_{};
  double end_us_ = 0;
  int left_ = 0;
  int down_ = 0;
  std::ostringstream out_{};
};

}  // namespace

std::string as_svg(const Workload& workload, const Job& job, double bytes_per_us) {
  return TimeLine(workload, job, bytes_per_us).svg();
}

}  // namespace railgauge::workload
