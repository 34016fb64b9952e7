#include <algorithm>
#include <cmath>

#include "draw/axis.hpp"
#include "draw/svg.hpp"
#include "finding/words.hpp"
#include "report/congestion_lanes.hpp"
#include "report/congestion_pictures.hpp"
#include "report/html.hpp"

namespace railgauge::report {
namespace {

using draw::Svg;
using results::CongestionBody;
using results::CongestionEvents;
using results::CongestionRow;
using results::CongestionSample;

constexpr const char* kWhatTimeLinesAre =
    "<p>Traffic is the packets that arrived. In GB/s it is scaled to the payload that was "
    "acknowledged in each step. Bars are what NICs counted per second. A sample that was read late "
    "has the packets and events of the time before it. A triangle is the first event of a step: "
    "switches report it if they were asked, else NICs.</p>\n";

constexpr std::size_t kMostTimeLines = 12;
constexpr std::size_t kOpenTimeLines = 2;

// Pixels.
constexpr int kTimeMargin = 8;
constexpr int kTimeLeft = 140;  // the lanes' names
constexpr int kTimePlot = 948;
constexpr int kTimeWidth = kTimeLeft + kTimePlot + 12;
constexpr int kTrafficLane = 84;
constexpr int kEventLane = 50;
constexpr int kStrip = 16;  // the upper part of a lane of events, with the first of them
constexpr int kTimeAxis = 22;
constexpr int kLineHeight = 14;
constexpr int kLevelNames = 20;        // the head of a picture
constexpr int kLongestStep = 220;      // the same where names are read from below
constexpr std::size_t kPartWidth = 3;  // what is finer is no more than a blur

std::string point(int x, int y) {
  return std::to_string(x) + " " + std::to_string(y);
}

/// The time of all steps, and where it is in the picture.
struct TimeScale {
  double from_s = 0;
  double to_s = 0;

  explicit TimeScale(const StepRows& steps)
      : from_s(steps.front()->begin_s), to_s(from_s + steps.front()->seconds) {
    for (const CongestionRow* const row : steps) {
      from_s = std::min(from_s, row->begin_s);
      to_s = std::max(to_s, row->begin_s + row->seconds);
    }
  }
  [[nodiscard]] int x_of(double time_s) const {
    const double part = (std::clamp(time_s, from_s, to_s) - from_s) / (to_s - from_s);
    return kTimeLeft + static_cast<int>(std::lround(kTimePlot * part));
  }
  [[nodiscard]] int width_of(const CongestionRow& row) const {
    return std::max(1, x_of(row.begin_s + row.seconds) - x_of(row.begin_s));
  }
  [[nodiscard]] std::size_t most_parts(const CongestionRow& row) const {
    return std::max<std::size_t>(1, static_cast<std::size_t>(width_of(row)) / kPartWidth);
  }
};

/// The word for a void one is never cut.
std::string short_name(const CongestionRow& row) {
  return draw::fitting(row.step, kLongestStep) + (is_void(row) ? " (void)" : "");
}

/// Whether each name has room above its step.
bool names_are_level(const StepRows& steps, const TimeScale& scale) {
  return std::ranges::all_of(steps, [&](const CongestionRow* row) {
    return draw::width_of(short_name(*row)) + kTimeMargin <= scale.width_of(*row);
  });
}

int longest_name(const StepRows& steps) {
  int width = 0;
  for (const CongestionRow* const row : steps)
    width = std::max(width, draw::width_of(short_name(*row)));
  return width;
}

/// A column for each part, from its foot up.
std::string columns_of(const Parts& parts, const TimeScale& scale, int foot, double height_of_one) {
  std::string commands;
  for (const PartOfTime& part : parts) {
    if (part.rate <= 0) continue;
    const int x = scale.x_of(part.begin_s);
    const int width = std::max(1, scale.x_of(part.end_s) - x);
    const int height = std::max(1, static_cast<int>(std::lround(part.rate * height_of_one)));
    commands += "M" + point(x, foot) + "v-" + std::to_string(height) + "h" + std::to_string(width) +
                "v" + std::to_string(height) + "z";
  }
  return commands;
}

/// A line that has a level for each part.
std::string stairs_of(const Parts& parts, const TimeScale& scale, int foot, double height_of_one) {
  std::string commands;
  for (const PartOfTime& part : parts) {
    const int y = foot - static_cast<int>(std::lround(part.rate * height_of_one));
    const int begin = scale.x_of(part.begin_s);
    commands += commands.empty() ? "M" + point(begin, y) : "V" + std::to_string(y);
    commands += "H" + std::to_string(scale.x_of(part.end_s));
  }
  return commands;
}

/// Steps of one scenario, all of which have a time.
class TimeLine {
 public:
  explicit TimeLine(const StepRows& steps)
      : steps_(steps),
        scale_(steps),
        level_(names_are_level(steps, scale_)),
        head_(level_ ? kLevelNames : longest_name(steps) + kTimeMargin),
        svg_(steps.front()->scenario + ": time line", kTimeWidth, bottom() + kTimeAxis, words()) {}

  std::string text() {
    for (const CongestionRow* const row : steps_) ground(*row);
    level_ ? level_names() : turned_names();
    traffic();
    int top = head_ + kTrafficLane;
    for (const EventLane& lane : kEventLanes) {
      events(lane, top);
      top += kEventLane;
    }
    axis();
    return svg_.text();
  }

 private:
  [[nodiscard]] int bottom() const {
    return head_ + kTrafficLane + kEventLane * static_cast<int>(kEventLanes.size());
  }
  [[nodiscard]] std::string words() const {
    return finding::counted(steps_.size(), "step") + " from " + number_text(scale_.from_s) +
           " to " + number_text(scale_.to_s) + " s; " + lanes_in_words(steps_) + ".";
  }

  /// The ground of a void step is another one.
  void ground(const CongestionRow& row) {
    svg_.box(is_void(row) ? "device" : "node", scale_.x_of(row.begin_s), head_,
             scale_.width_of(row), bottom() - head_,
             step_in_words(row) + ": " + row.verdict + "; " + row.reason);
  }

  void level_names() {
    for (const CongestionRow* const row : steps_)
      svg_.label(scale_.x_of(row->begin_s) + 4, head_ - 6, short_name(*row));
  }

  /// Of steps that are too near to each other, the first has its name.
  void turned_names() {
    int last = 0;
    for (const CongestionRow* const row : steps_) {
      const int x = scale_.x_of(row->begin_s) + (scale_.width_of(*row) + kLineHeight) / 2 - 3;
      if (x - last < kLineHeight) continue;
      svg_.turned(x, head_ - 4, short_name(*row));
      last = x;
    }
  }

  void lane_name(int top, const std::string& name, const std::vector<std::string>& remarks) {
    int y = top + kLineHeight;
    svg_.label(kTimeMargin, y, name, Svg::Text::strong);
    for (const std::string& remark : remarks)
      svg_.label(kTimeMargin, y += kLineHeight, remark, Svg::Text::small);
    svg_.lines("wire", "M" + point(kTimeMargin, top) + "H" + std::to_string(kTimeLeft + kTimePlot));
  }

  [[nodiscard]] std::vector<Parts> rates(SampleCount count) const {
    std::vector<Parts> all;
    for (const CongestionRow* const row : steps_)
      all.push_back(parts_of_time(*row, count, scale_.most_parts(*row)));
    return all;
  }

  /// In GB/s, if that is known.
  [[nodiscard]] std::vector<Parts> traffic_rates(bool known) const {
    std::vector<Parts> all = rates(&CongestionSample::packets);
    for (std::size_t at = 0; known && at < all.size(); ++at) {
      for (PartOfTime& part : all[at]) part.rate *= gigabytes_of_packet(*steps_[at]).value_or(0);
    }
    return all;
  }

  void traffic() {
    const bool known = knows_payload(steps_);
    const std::vector<Parts> all = traffic_rates(known);
    const double most = highest_rate(all);
    const double height = most > 0 ? (kTrafficLane - kStrip) / most : 0;
    for (const Parts& parts : all)
      svg_.lines("line0", stairs_of(parts, scale_, head_ + kTrafficLane, height));
    lane_name(head_, "traffic", {"up to " + number_text(most) + (known ? " GB/s" : " packets/s")});
  }

  void events(const EventLane& lane, int top) {
    const std::vector<Parts> all = rates(lane.count);
    const double most = highest_rate(all);
    const double height = most > 0 ? (kEventLane - kStrip) / most : 0;
    std::string columns;
    for (const Parts& parts : all) columns += columns_of(parts, scale_, top + kEventLane, height);
    svg_.shape(lane.fill, columns, "");
    lane_name(top, lane.name, remarks_on(lane, most));
    firsts(lane, top);
    for (const CongestionRow* const row : steps_) uncounted(*row, lane, top);
  }
  [[nodiscard]] std::vector<std::string> remarks_on(const EventLane& lane, double most) const {
    const CongestionEvents* const first = first_of(steps_, lane);
    if (!is_counted(steps_, lane)) return {"not counted"};
    if (first == nullptr && most <= 0) return {"none"};
    std::vector<std::string> remarks;
    remarks.push_back(most > 0 ? "up to " + number_text(most) + " per s" : "none at NICs");
    if (first != nullptr)
      remarks.push_back("first at " + number_text(*first->first_until_s) + " s");
    return remarks;
  }

  /// A triangle for the first of each step.
  void firsts(const EventLane& lane, int top) {
    for (const CongestionRow* const row : steps_) {
      const CongestionEvents& events = row->*lane.events;
      if (!events.first_until_s) continue;
      const int x = scale_.x_of(*events.first_until_s);
      svg_.lines(lane.line,
                 "M" + point(x, top + kStrip) + "v" + std::to_string(kEventLane - kStrip), true);
      svg_.shape(lane.fill, "M" + point(x, top + kStrip) + "l-5 -9h10z",
                 step_in_words(*row) + ": " + first_in_words(lane, events));
    }
  }
  /// In a lane that is not counted at all, its name says so.
  void uncounted(const CongestionRow& row, const EventLane& lane, int top) {
    constexpr const char* kNotCounted = "not counted";
    if ((row.*lane.events).counted || !is_counted(steps_, lane)) return;
    if (draw::width_of(kNotCounted) + kTimeMargin > scale_.width_of(row)) return;
    svg_.label(scale_.x_of(row.begin_s) + 4, top + kEventLane - 6, kNotCounted, Svg::Text::small);
  }

  void axis() {
    constexpr int kMostTicks = 10;
    for (const double time : draw::ticks(scale_.from_s, scale_.to_s, kMostTicks)) {
      const std::string label = number_text(time) + " s";
      const int x = scale_.x_of(time);
      svg_.lines("wire", "M" + point(x, bottom()) + "v5");
      svg_.label(
          std::min(x - draw::width_of(label) / 2, kTimeWidth - kTimeMargin - draw::width_of(label)),
          bottom() + 17, label, Svg::Text::small);
    }
  }

  const StepRows& steps_;
  TimeScale scale_;
  bool level_;  // whether names of steps are
  int head_;    // how high these are
  Svg svg_;
};

bool is_on_time_line(const CongestionRow& row) {
  return row.seconds > 0 && !row.samples.empty();
}

/// Of each run of rows of one scenario those that have a time.
std::vector<StepRows> steps_by_scenario(const CongestionBody& body) {
  std::vector<StepRows> all;
  for (const CongestionRow& row : body.rows) {
    if (!is_on_time_line(row)) continue;
    if (all.empty() || all.back().front()->scenario != row.scenario) all.emplace_back();
    all.back().push_back(&row);
  }
  return all;
}

std::string without_samples(const CongestionBody& body) {
  constexpr std::size_t kMostNames = 8;
  std::vector<std::string> names;
  for (const CongestionRow& row : body.rows) {
    if (!is_on_time_line(row)) names.push_back(step_in_words(row));
  }
  if (names.empty()) return "";
  return "<p class=\"none\">Steps without samples: " + escaped(listed(names, kMostNames)) +
         ".</p>\n";
}

std::string captioned_time_line(const StepRows& steps) {
  return captioned(steps.front()->scenario,
                   "<div class=\"wide\">" + TimeLine(steps).text() + "</div>");
}

}  // namespace

std::string congestion_time_lines(const CongestionBody& body) {
  const std::vector<StepRows> all = steps_by_scenario(body);
  if (all.empty()) return "";
  const std::size_t count = std::min(all.size(), kMostTimeLines);
  std::string html = kWhatTimeLinesAre;
  for (std::size_t at = 0; at < count; ++at) {
    const std::string figure = captioned_time_line(all[at]);
    html += at < kOpenTimeLines ? figure : folded(all[at].front()->scenario, figure);
  }
  return section("Time line",
                 html + left_out(all.size() - count, "time lines") + without_samples(body));
}

}  // namespace railgauge::report
