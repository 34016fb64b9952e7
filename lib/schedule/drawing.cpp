#include "schedule/rendering.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

#include "draw/escape.hpp"
#include "draw/svg.hpp"
#include "schedule/cost.hpp"

namespace railgauge::schedule {
namespace {

constexpr int kMargin = 70;
constexpr int kTop = 96;
constexpr int kColumn = 84;
constexpr int kRow = 64;
constexpr int kLabelAway = 9;        // from the sender's line
constexpr std::size_t kColours = 4;  // of draw/svg.hpp
constexpr int kLeft = 20;            // of texts
constexpr int kLeast = 320;          // of the width

struct Message {
  Rank from;
  Rank to;
  Block first;
  Block count;
  std::uint8_t channel;
  bool combined;
};

/// Whether the peer combines what one of `rank`'s ops sends it. Of one channel between two ranks
/// the ops of a step are of one kind.
bool combines(const Schedule& schedule, Step step, Rank rank, const Op& sent) {
  const Ops theirs = schedule.ops(sent.peer, step);
  return std::ranges::any_of(theirs, [&](const Op& op) {
    return op.action == Action::reduce && op.peer == rank && op.channel == sent.channel;
  });
}

std::vector<Message> messages_of(const Schedule& schedule, Step step) {
  std::vector<Message> messages;
  for (Rank rank = 0; rank < schedule.ranks; ++rank) {
    for (const Op& op : schedule.ops(rank, step)) {
      if (op.action != Action::send) continue;
      messages.push_back({rank, op.peer, op.blocks.first, op.blocks.count, op.channel,
                          combines(schedule, step, rank, op)});
    }
  }
  return messages;
}

class Drawing {
 public:
  explicit Drawing(const Schedule& schedule) : schedule_(schedule) {
    for (Step step = 0; step < schedule.steps; ++step) {
      auto messages = messages_of(schedule, step);
      if (!messages.empty()) rounds_.push_back(std::move(messages));
    }
  }

  std::string svg() {
    open();
    for (std::size_t round = 0; round < rounds_.size(); ++round) draw_round(round);
    for (Rank rank = 0; rank < schedule_.ranks; ++rank) draw_rank(rank);
    out_ << "</svg>\n";
    return out_.str();
  }

 private:
  [[nodiscard]] int x(Rank rank) const { return kMargin + static_cast<int>(rank) * kColumn; }
  [[nodiscard]] int y(std::size_t round) const { return kTop + static_cast<int>(round) * kRow; }
  /// Wide enough for its texts, too.
  [[nodiscard]] int width() const {
    constexpr int kTitleSize = 16;
    const int texts = std::max(
        {draw::width_of(title(), kTitleSize), draw::width_of(cost()), draw::width_of(legend())});
    const int ranks = 2 * kMargin + static_cast<int>(schedule_.ranks - 1) * kColumn;
    return std::max({ranks, texts + 2 * kLeft, kLeast});
  }
  [[nodiscard]] int height() const { return y(rounds_.size()) + 40; }

  [[nodiscard]] std::string title() const {
    return schedule_.name + " " + std::string(name(schedule_.collective)) + ", " +
           std::to_string(schedule_.ranks) + " ranks";
  }

  [[nodiscard]] std::string cost() const {
    const Bounds least = lower_bounds(schedule_.collective, schedule_.ranks);
    return std::to_string(schedule_.cost.rounds) + " rounds (at least " +
           std::to_string(least.rounds) + "), " + rounded(data_moved(schedule_)) +
           " times a rank's data through the busiest (at least " + rounded(least.data) + ")";
  }

  [[nodiscard]] std::string legend() const {
    return "solid: overwrites; dashed: combined; labels: blocks of " +
           std::to_string(schedule_.blocks);
  }

  void open() {
    out_ << draw::svg_head(title(),
                           cost() + "; an arrow for every message, rounds downwards, ranks across",
                           width(), height())
         << "<defs>\n";
    for (std::size_t channel = 0; channel < kColours; ++channel) {
      out_ << "<marker id='head" << channel
           << "' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' "
           << "markerHeight='7' orient='auto'><path d='M0 0 8 4 0 8z' class='fill" << channel
           << "'/></marker>\n";
    }
    out_ << "</defs>\n";
    label(kLeft, 24, "start", "", title(), "font-size='16' font-weight='600'");
    label(kLeft, 44, "start", "dim", cost());
    label(kLeft, 60, "start", "dim", legend());
    label(kLeft, kTop - 14, "start", "dim", "rank");
    label(kLeft, kTop + 6, "start", "dim", "round");
  }

  void label(int at_x, int at_y, const char* anchor, const std::string& style_class,
             const std::string& text, std::string_view more = "") {
    out_ << "<text x='" << at_x << "' y='" << at_y << "' text-anchor='" << anchor << "' class='"
         << style_class << "' " << more << ">" << draw::escaped(text) << "</text>\n";
  }

  void draw_rank(Rank rank) {
    label(x(rank), kTop - 14, "middle", "", std::to_string(rank), "font-weight='600'");
    out_ << "<line class='wire' x1='" << x(rank) << "' y1='" << kTop - 8 << "' x2='" << x(rank)
         << "' y2='" << y(rounds_.size()) + 8 << "'/>\n";
  }

  void draw_round(std::size_t round) {
    label(kLeft, y(round) + kRow / 2, "start", "dim", std::to_string(round + 1));
    std::map<std::pair<Rank, Rank>, int> drawn;  // how many of this pair already
    for (const Message& message : rounds_[round]) {
      draw_message(message, y(round), drawn[{message.from, message.to}]++);
    }
  }

  /// A straight arrow to a neighbour, a curved one over longer distances, so that they can be told
  /// from each other.
  void draw_message(const Message& message, int top, int nth) {
    const int from = x(message.from);
    const int to = x(message.to);
    const int begin = top + 6 + 9 * nth;
    const int end = top + kRow - 14 + 3 * nth;
    const int bend = std::min(std::abs(to - from) / kColumn - 1, 6) * 3;
    const std::size_t colour = message.channel % kColours;
    out_ << "<path d='M" << from << " " << begin << " Q" << (from + to) / 2 << " "
         << (begin + end) / 2 + bend << " " << to << " " << end << "' fill='none' class='line"
         << colour << "' stroke-width='1.3'" << (message.combined ? " stroke-dasharray='5 3'" : "")
         << " marker-end='url(#head" << colour << ")'/>\n";
    // Next to the sender, where arrows are still apart.
    const int side = to > from ? 1 : -1;
    const int down = (end - begin) * kLabelAway / std::max(std::abs(to - from), 1);
    label(from + side * kLabelAway, begin + down - 3, to > from ? "start" : "end",
          "halo fill" + std::to_string(colour), blocks(message));
  }

  [[nodiscard]] std::string blocks(const Message& message) const {
    std::string prefix;
    Block first = message.first;
    if (first >= schedule_.first_scratch()) {
      prefix = "s";
      first -= schedule_.first_scratch();
    } else if (separate_buffers(schedule_.collective)) {
      first %= schedule_.blocks;
    }
    const std::string range = prefix + std::to_string(first);
    return message.count == 1 ? range : range + "–" + std::to_string(first + message.count - 1);
  }

  const Schedule& schedule_;
  std::vector<std::vector<Message>> rounds_;
  std::ostringstream out_;
};

}  // namespace

std::string as_svg(const Schedule& schedule) {
  return Drawing(schedule).svg();
}

}  // namespace railgauge::schedule
