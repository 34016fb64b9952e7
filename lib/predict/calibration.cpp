#include "predict/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "finding/words.hpp"
#include "schedule/algorithms.hpp"

namespace railgauge::predict {
namespace {

using fabric::Count;
using fabric::number;

constexpr std::size_t kLeastRows = 5;  // one more than coefficients
constexpr std::size_t kLeastSizes = 4;
constexpr double kMostError = kPfcBand - 1;  // more would hide what a prediction is for
constexpr double kSame = 1e-6;               // of columns that tell nothing apart

struct Row {
  Residual about{};
  Observation observation{};
};

std::map<std::string, Profile> profiles_of(const Scenario& scenario) {
  std::map<std::string, Profile> profiles;
  const auto per_host = static_cast<schedule::Rank>(scenario.ranks.per_host);
  const auto ranks = static_cast<schedule::Rank>(scenario.ranks.hosts) * per_host;
  for (const std::string& name : scenario.algorithms) {
    const auto* const algorithm = schedule::find_algorithm(scenario.collective, name);
    if (algorithm == nullptr) throw std::invalid_argument("--calibrate: no algorithm " + name);
    profiles[name] = profile_of(algorithm->make({ranks, 0, per_host}), scenario.fabric,
                                scenario.ranks, scenario.routing);
  }
  return profiles;
}

std::vector<Row> rows_of(const std::vector<MeasuredRun>& runs) {
  std::vector<Row> rows;
  for (const MeasuredRun& run : runs) {
    const auto profiles = profiles_of(run.scenario);
    const Count ranks = run.scenario.ranks.hosts * run.scenario.ranks.per_host;
    for (const MeasuredTime& time : run.times) {
      const Work work =
          work_of(run.scenario, profiles.at(time.algorithm), static_cast<double>(time.bytes));
      rows.push_back({{time.algorithm, ranks, time.bytes, time.time_us}, {work, time.time_us}});
    }
  }
  return rows;
}

template <class Keep>
CostModel fit_of(const std::vector<Row>& rows, const Keep& keep) {
  std::vector<Observation> observations;
  for (const Row& row : rows) {
    if (keep(row.about)) observations.push_back(row.observation);
  }
  return fit(observations);
}

Errors errors_of(std::vector<double> errors) {
  std::ranges::sort(errors);
  const std::size_t last = errors.size() - 1;
  return {errors[errors.size() / 2],
          errors[static_cast<std::size_t>(std::ceil(0.9 * static_cast<double>(last)))],
          errors[last]};
}

double error_of(double predicted_us, double measured_us) {
  return std::abs(predicted_us / measured_us - 1);
}

/// Every row by a fit without the rows that share its `key` with it.
template <class Key>
std::vector<double> left_out(const std::vector<Row>& rows, const Key& key) {
  std::vector<double> predicted_us(rows.size());
  std::set<std::uint64_t> keys;
  for (const Row& row : rows) keys.insert(key(row.about));
  for (const std::uint64_t one : keys) {
    const CostModel model = fit_of(rows, [&](const Residual& about) { return key(about) != one; });
    for (std::size_t at = 0; at < rows.size(); ++at) {
      if (key(rows[at].about) == one) {
        predicted_us[at] = predict_us(model, rows[at].observation.work);
      }
    }
  }
  return predicted_us;
}

Errors errors_of(const std::vector<Row>& rows, const std::vector<double>& predicted_us) {
  std::vector<double> errors;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    errors.push_back(error_of(predicted_us[at], rows[at].observation.time_us));
  }
  return errors_of(std::move(errors));
}

template <class Key>
std::size_t kinds(const std::vector<Row>& rows, const Key& key) {
  std::set<std::uint64_t> keys;
  for (const Row& row : rows) keys.insert(key(row.about));
  return keys.size();
}

/// Whether reduced bytes are not simply a share of the moved ones.
bool tells_reduction(const std::vector<Row>& rows) {
  double least = INFINITY;
  double most = 0;
  for (const Row& row : rows) {
    const Work& work = row.observation.work;
    if (work.moved_us <= 0) continue;
    least = std::min(least, work.reduced_bytes / work.moved_us);
    most = std::max(most, work.reduced_bytes / work.moved_us);
  }
  return most > least * (1 + kSame);
}

void check(const std::vector<Row>& rows, std::size_t sizes) {
  if (rows.size() >= kLeastRows && sizes >= kLeastSizes) return;
  throw std::invalid_argument("--calibrate: a fit needs at least " + std::to_string(kLeastRows) +
                              " rows of " + std::to_string(kLeastSizes) + " sizes, and there are " +
                              std::to_string(rows.size()) + " of " + std::to_string(sizes));
}

std::string percent(double fraction) {
  return number(std::round(1000 * fraction) / 10, 3) + " %";
}

std::string in_words(const Errors& errors) {
  return "median " + percent(errors.median) + ", p90 " + percent(errors.p90) + ", worst " +
         percent(errors.worst);
}

std::string words_of_ranks(const Calibration& calibration) {
  return calibration.ranks_left_out ? in_words(*calibration.ranks_left_out)
                                    : "UNKNOWN: all rows are of the same number of ranks";
}

}  // namespace

Calibration calibrated(const std::vector<MeasuredRun>& runs) {
  const std::vector<Row> rows = rows_of(runs);
  const auto size = [](const Residual& about) { return about.bytes; };
  const auto ranks = [](const Residual& about) { return about.ranks; };
  check(rows, kinds(rows, size));
  const CostModel model = fit_of(rows, [](const Residual&) { return true; });
  const Latencies& latencies = runs.front().scenario.latencies;
  Calibration made{
      .latencies = {model.step_us, model.step_us * latencies.inside_us / latencies.network_us,
                    model.post_us},
      .slowdown = model.slowdown,
      .reduce_us_per_byte = model.us_per_reduced_byte,
      .reduction_known = tells_reduction(rows)};
  const std::vector<double> without = left_out(rows, size);
  std::vector<double> fitted;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    fitted.push_back(predict_us(model, rows[at].observation.work));
    made.residuals.push_back(rows[at].about);
    made.residuals.back().fitted_us = fitted.back();
    made.residuals.back().left_out_us = without[at];
  }
  made.fitted = errors_of(rows, fitted);
  made.size_left_out = errors_of(rows, without);
  if (kinds(rows, ranks) > 1) made.ranks_left_out = errors_of(rows, left_out(rows, ranks));
  return made;
}

std::string why_unfit(const Calibration& calibration) {
  const auto why = [](const char* what, const Errors& errors) {
    return errors.p90 <= kMostError
               ? std::string()
               : std::string("--calibrate: the fit is off by ") + percent(errors.p90) +
                     " (p90) for a " + what + " that it has not seen, and the limit is " +
                     percent(kMostError) +
                     ", the band of a fabric; give results of fewer sizes, of one regime";
  };
  const std::string size = why("size", calibration.size_left_out);
  return size.empty() && calibration.ranks_left_out
             ? why("number of ranks", *calibration.ranks_left_out)
             : size;
}

void apply(const Calibration& calibration, Scenario& scenario) {
  scenario.latencies = calibration.latencies;
  scenario.slowdown = calibration.slowdown;
  scenario.reduce_us_per_byte = calibration.reduce_us_per_byte;
  scenario.calibration_error = std::max(calibration.size_left_out.worst,
                                        calibration.ranks_left_out.value_or(Errors{}).worst);
}

std::string beyond(const Calibration& calibration, const Scenario& scenario) {
  const auto& rows = calibration.residuals;
  const auto [few, many] = std::ranges::minmax(rows, {}, &Residual::ranks);
  const auto [small, large] = std::ranges::minmax(rows, {}, &Residual::bytes);
  const Count ranks = scenario.ranks.hosts * scenario.ranks.per_host;
  const auto [least, most] = std::ranges::minmax(scenario.sizes);
  const auto range = [](std::uint64_t from, std::uint64_t to) {
    return std::to_string(from) + (from == to ? "" : " to " + std::to_string(to));
  };
  std::string text;
  if (ranks < few.ranks || ranks > many.ranks) {
    text = fabric::counted(ranks) + " ranks (measured: " + range(few.ranks, many.ranks) + ")";
  }
  if (least < small.bytes || most > large.bytes) {
    text += (text.empty() ? "" : ", ") + std::string("sizes of ") + range(least, most) +
            " B (measured: " + range(small.bytes, large.bytes) + ")";
  }
  return text.empty() ? text
                      : "Beyond the calibration, where its error is not known: " + text + ".";
}

std::string as_text(const Calibration& calibration) {
  std::string text =
      "calibration by " + std::to_string(calibration.residuals.size()) + " rows: alpha " +
      number(calibration.latencies.network_us) + " us a step, " +
      number(calibration.latencies.post_us) + " us a further message; beta " +
      number(calibration.slowdown) + " of line rate's time; gamma " +
      (calibration.reduction_known ? number(1000 * calibration.reduce_us_per_byte) + " ns per byte"
                                   : "within beta: these rows cannot tell them apart") +
      "\nerror: of the fit " + in_words(calibration.fitted) + "; with a size left out " +
      in_words(calibration.size_left_out) + "; with a number of ranks left out " +
      words_of_ranks(calibration) + "\n";
  text += finding::printed("%12s  %-18s %6s %12s %12s %8s %9s\n", "size", "algorithm", "ranks",
                           "measured", "fitted", "error", "left out");
  text += finding::printed("%12s  %-18s %6s %12s %12s %8s %9s\n", "(B)", "", "", "(us)", "(us)",
                           "(%)", "(%)");
  for (const Residual& row : calibration.residuals)
    text += finding::printed("%12llu  %-18s %6llu %12.2f %12.2f %8.1f %9.1f\n",
                             static_cast<unsigned long long>(row.bytes), row.algorithm.c_str(),
                             static_cast<unsigned long long>(row.ranks), row.measured_us,
                             row.fitted_us, 100 * (row.fitted_us / row.measured_us - 1),
                             100 * (row.left_out_us / row.measured_us - 1));
  return text;
}

nlohmann::ordered_json as_json(const Calibration& calibration) {
  const auto errors = [](const Errors& one) {
    return nlohmann::ordered_json{{"median", one.median}, {"p90", one.p90}, {"worst", one.worst}};
  };
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Residual& row : calibration.residuals) {
    rows.push_back({{"algorithm", row.algorithm},
                    {"ranks", row.ranks},
                    {"bytes", row.bytes},
                    {"microseconds", row.measured_us},
                    {"fitted_microseconds", row.fitted_us},
                    {"left_out_microseconds", row.left_out_us}});
  }
  nlohmann::ordered_json json{{"step_microseconds", calibration.latencies.network_us},
                              {"post_microseconds", calibration.latencies.post_us},
                              {"line_rate_factor", calibration.slowdown},
                              {"nanoseconds_per_reduced_byte", nullptr},
                              {"error", errors(calibration.fitted)},
                              {"error_without_size", errors(calibration.size_left_out)},
                              {"error_without_ranks", nullptr},
                              {"rows", rows}};
  if (calibration.reduction_known) {
    json["nanoseconds_per_reduced_byte"] = 1000 * calibration.reduce_us_per_byte;
  }
  if (calibration.ranks_left_out) {
    json["error_without_ranks"] = errors(*calibration.ranks_left_out);
  }
  return json;
}

}  // namespace railgauge::predict
