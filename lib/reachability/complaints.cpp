#include "reachability/complaints.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <set>

#include "measure/ran_share.hpp"

namespace railgauge::reachability {
namespace {

/// Finds what is wrong with the pairs of one kind.
class Judge {
 public:
  Judge(const Matrix& matrix, bool same_rail)
      : matrix_(matrix),
        kind_(kind_of(matrix, same_rail)),
        count_(matrix.nics().size()),
        cut_off_(count_) {}

  void add_unreached(std::vector<std::string>& complaints) {
    for (std::size_t nic = 0; nic < count_; ++nic) {
      cut_off_[nic] = is_cut_off(nic);
      if (cut_off_[nic]) complaints.push_back(about(nic));
    }
    for_all([&](std::size_t from, std::size_t to, const Reach& reach) {
      if (reach.reached || cut_off_[from] || cut_off_[to]) return;
      complaints.push_back(pair(from, to) + " does not work: " + reach.reason);
    });
  }

  void add_slow(std::vector<std::string>& complaints) const {
    for_all([&](std::size_t from, std::size_t to, const Reach& reach) {
      if (!is_slow(reach, kind_)) return;
      complaints.push_back(pair(from, to) + " is slow: " + compared(reach) +
                           (reach.reason.empty() ? "" : " (" + reach.reason + ")"));
    });
  }

  void add_doubts(std::vector<std::string>& doubts) const {
    for_all([&](std::size_t from, std::size_t to, const Reach& reach) {
      if (!looks_slow(reach, kind_) || is_slow(reach, kind_)) return;
      doubts.push_back("not known whether " + pair(from, to) + " is slow: " + compared(reach) +
                       ", but " + measure::ran_text(reach.ran_share) +
                       "; test it again when nothing else runs there");
    });
  }

 private:
  template <class Action>
  void for_all(Action action) const {
    for (std::size_t from = 0; from < count_; ++from) {
      for (std::size_t to = 0; to < count_; ++to) {
        const auto& cell = matrix_.at(from, to);
        if (cell && matrix_.same_rail(from, to) == kind_.same_rail) action(from, to, *cell);
      }
    }
  }

  /// With only two NICs that do not hear each other, one cannot tell which it is.
  bool is_cut_off(std::size_t nic) const {
    int peers = 0;
    bool works = false;
    for_all([&](std::size_t from, std::size_t to, const Reach& reach) {
      if (from == nic) ++peers;
      if (from == nic || to == nic) works = works || reach.reached;
    });
    return peers > 1 && !works;
  }

  std::string about(std::size_t nic) const {
    std::string reason;
    for_all([&](std::size_t from, std::size_t, const Reach& reach) {
      if (from == nic && reason.empty()) reason = reach.reason;
    });
    return matrix_.name(nic) + " reaches no NIC on " +
           (kind_.same_rail ? "its rail" : "other rails") + ", and none reaches it: " + reason;
  }

  std::string pair(std::size_t from, std::size_t to) const {
    return matrix_.name(from) + " to " + matrix_.name(to);
  }

  [[nodiscard]] std::string compared(const Reach& reach) const {
    return rate(reach.gigabytes_per_second) + " GB/s, compared with a median of " +
           rate(kind_.median_gigabytes_per_second) + " GB/s for such pairs";
  }

  static std::string rate(double gigabytes_per_second) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", gigabytes_per_second);
    return text.data();
  }

  const Matrix& matrix_;
  Kind kind_;
  std::size_t count_;
  std::vector<bool> cut_off_;
};

std::vector<std::string> missing_nics(const Matrix& matrix) {
  std::map<std::string, std::set<int>> rails_of;
  for (const Nic& nic : matrix.nics()) rails_of[nic.host].insert(nic.rail);
  std::size_t most = 0;
  for (const auto& [host, rails] : rails_of) most = std::max(most, rails.size());
  std::vector<std::string> all;
  for (const auto& [host, rails] : rails_of) {
    if (rails.size() == most) continue;
    all.push_back(host + " has " + std::to_string(rails.size()) + " usable " +
                  (rails.size() == 1 ? "NIC" : "NICs") + ", others have " + std::to_string(most) +
                  ": is a port down?");
  }
  return all;
}

}  // namespace

bool looks_slow(const Reach& reach, const Kind& kind) {
  return reach.reached &&
         reach.gigabytes_per_second < kSlowShare * kind.median_gigabytes_per_second;
}

bool is_slow(const Reach& reach, const Kind& kind) {
  Reach undisturbed = reach;
  undisturbed.gigabytes_per_second =
      measure::rate_in_all_the_time(reach.gigabytes_per_second, reach.ran_share);
  return looks_slow(undisturbed, kind);
}

std::vector<std::string> complaints(const Matrix& matrix, CrossRail cross_rail) {
  std::vector<std::string> all = missing_nics(matrix);
  for (const bool same_rail : {true, false}) {
    Judge judge(matrix, same_rail);
    if (same_rail || cross_rail == CrossRail::has_to_work) judge.add_unreached(all);
    judge.add_slow(all);
  }
  return all;
}

std::vector<std::string> doubts(const Matrix& matrix) {
  std::vector<std::string> all;
  for (const bool same_rail : {true, false}) Judge(matrix, same_rail).add_doubts(all);
  return all;
}

}  // namespace railgauge::reachability
