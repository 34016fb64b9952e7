#include "runner/session.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iostream>
#include <iterator>

#include "cluster/fabric.hpp"
#include "cluster/port_counters.hpp"
#include "cluster/provenance.hpp"
#include "cluster/rank_placement.hpp"
#include "job/consistency_check.hpp"
#include "results/version.hpp"
#include "verdict/line_rate.hpp"

namespace railgauge::runner {
namespace {

using results::ExitCode;
using results::Failure;

// How long rank 0 waits for the others' last words.
constexpr std::chrono::milliseconds kLastWords{3000};
// After a signal the launcher kills soon.
constexpr std::chrono::milliseconds kLastWordsAfterSignal{300};

std::string in_words(const Failure& failure) {
  return "rank " + std::to_string(failure.rank) + " (" + failure.host + "): " + failure.text;
}

/// The same trouble of several ranks of one host is told once.
void print(const std::string& program, const std::vector<Failure>& failures) {
  std::vector<std::pair<std::string, std::string>> told;
  for (const Failure& failure : failures) {
    const std::pair key{failure.host, failure.text};
    if (std::ranges::count(told, key) > 0) continue;
    told.push_back(key);
    std::cerr << program << ": " << in_words(failure) << "\n";
  }
  std::cerr << std::flush;
}

verdict::NicInventory nic_inventory_of(const std::vector<results::Rank>& ranks) {
  verdict::NicInventory nic_inventory;
  for (const results::Rank& rank : ranks) {
    std::vector<verdict::Nic> nics;
    for (const results::RankRail& rail : rank.rails) {
      const std::string port = rail.device + "/" + std::to_string(rail.port);
      nics.push_back({rail.rail, port + " " + rail.address, rail.link_gigabits_per_second});
    }
    nic_inventory.add_rank(rank.host, nics);
  }
  return nic_inventory;
}

}  // namespace

Session::Session(Program program, std::vector<std::string> command_line, Options options,
                 job::Communicator& communicator)
    : program_(std::move(program)), options_(std::move(options)), communicator_(communicator) {
  document_.tool = {.version = results::kVersion, .commit = results::kCommit};
  document_.collective = program_.collective;
  document_.start = std::chrono::system_clock::now();
  document_.command_line = std::move(command_line);
  document_.options = options_.in_force;
  document_.environment = cluster::relevant_environment();
}

void Session::open() {
  check_ranks();
  job::check_consistency(communicator_, std::string(results::kVersion) + " " + results::kCommit,
                         options_.in_force);
  if (communicator_.rank() == 0) output_ = std::make_unique<Output>(options_);
  read_traffic();
  communicator_.barrier();  // nobody touches a device for a result that cannot be kept
  meet_others();
  settle_window();
  cluster::check_nodes(document_.ranks, options_.nodes, options_.per_node);
  document_.counters = cluster::read_counters(communicator_, document_.ranks);
  const std::size_t count = settings().size();
  if (output_) output_->begin(document_, count);
}

void Session::meet_others() {
  cluster::LocalHost own = cluster::look_at_local_host(options_.device);
  const auto& exclude = options_.device.nics.exclude;
  if (exclude && communicator_.sum(own.excluded_some ? 1 : 0, "the check of --exclude") == 0) {
    throw job::RunFailure(Failure::Kind::usage,
                          "--exclude " + exclude->text() + " matches no port of any host");
  }
  cluster::Fabric fabric = cluster::gather_fabric(communicator_, own, options_.device);
  document_.ranks = std::move(fabric.ranks);
  nic_inventory_ = nic_inventory_of(document_.ranks);
  document_.rail_rule = std::move(fabric.rail_rule);
  document_.hosts = cluster::describe_hosts(communicator_, document_.ranks);
  place_ = cluster::place_ranks(communicator_, own, options_.device, document_.ranks);
  for (const results::Rank& rank : document_.ranks) {
    own_rails_.emplace_back(rank.placement.rails.begin(), rank.placement.rails.end());
  }
  rails_ = std::move(own.ports);
  if (document_.ranks[communicator_.rank()].local_rank == 0 && !own.left_out.empty()) {
    std::cerr << program_.name() << ": " << communicator_.host() << ":" << own.left_out
              << std::endl;
  }
  warn(std::move(fabric.warnings));
}

void Session::warn(std::vector<std::string> warnings) {
  if (communicator_.rank() == 0) {
    for (const std::string& one : warnings)
      std::cerr << program_.name() << ": " << one << std::endl;
  }
  std::ranges::move(warnings, std::back_inserter(document_.warnings));
}

void Session::verify_placement(std::span<const std::span<const std::byte>> buffers) {
  cluster::verify_placement(communicator_, place_, buffers, document_.ranks);
}

void Session::read_traffic() {
  if (traits(options_.collective).size != schedule::SizeRule::uneven) return;
  if (options_.matrix_file.empty()) {
    traffic_ = Traffic(ranks(), options_.spread_percent);
    return;
  }
  std::ifstream file(options_.matrix_file);
  if (!file) {
    throw std::system_error(errno, std::generic_category(),
                            "cannot read --matrix '" + options_.matrix_file + "'");
  }
  try {
    traffic_ = Traffic(ranks(), file, options_.matrix_file);
  } catch (const std::invalid_argument& error) {
    throw job::RunFailure(Failure::Kind::usage, std::string("--matrix: ") + error.what());
  }
}

std::vector<Setting> Session::settings() const {
  try {
    return options_.settings(static_cast<unsigned>(rails_.size()), ranks());
  } catch (const std::invalid_argument& error) {
    throw job::RunFailure(Failure::Kind::usage, error.what());
  }
}

void Session::check_ranks() const {
  if (communicator_.ranks() > 1 || options_.single) return;
  throw job::RunFailure(
      Failure::Kind::usage,
      "one rank has nobody to talk to. Start it with launchers/mpirun -np RANKS; if "
      "that was done, mpirun and this binary belong to different MPIs. If one is "
      "meant, say --allow-single");
}

void Session::settle_window() {
  constexpr unsigned kOnHardware = 4;
  if (options_.window == 0) options_.window = on_software() ? 1 : kOnHardware;
  const auto entry = document_.options.find("window");
  if (entry != document_.options.end()) {
    entry->second.value = static_cast<std::int64_t>(options_.window);
  }
}

bool Session::on_software() const {
  for (const results::Rank& rank : document_.ranks) {
    for (const results::RankRail& rail : rank.rails) {
      if (rail.kind != results::DeviceKind::hardware) return true;
    }
  }
  return false;
}

std::optional<double> Session::line_rate_percent(const Setting& setting,
                                                 double busbw_gigabytes_per_second) const {
  constexpr double kPercent = 100;
  verdict::Run run = nic_inventory_.run({setting.rails.rails.begin(), setting.rails.rails.end()},
                                        options_.same_host == SameHost::memory);
  run.collective = document_.collective;
  const auto share = verdict::line_rate_fraction(run, busbw_gigabytes_per_second);
  return share ? std::optional(kPercent * *share) : std::nullopt;
}

results::Straggler Session::straggler(const measure::Straggler& found) const {
  return {static_cast<int>(found.rank), document_.ranks[found.rank].host, found.own_us,
          found.others_us};
}

schedule::Team Session::team(int root) const {
  const auto& all = document_.ranks;
  schedule::Team team{ranks(), static_cast<schedule::Rank>(root), 0};
  const auto per_host = std::ranges::count(all, all[0].host, &results::Rank::host);
  int next = 0;
  for (const results::Rank& rank : all) {
    if (rank.local_rank != next) return team;
    next = next + 1 == per_host ? 0 : next + 1;
  }
  team.per_host = static_cast<schedule::Rank>(per_host);
  return team;
}

void Session::report(const results::Row& row) {
  document_.rows.push_back(row);
  if (output_) output_->row(document_);
}

void Session::report_wrong_data(const std::string& what) {
  const auto everybody = communicator_.all_gather(std::as_bytes(std::span(what)));
  for (std::size_t rank = 0; rank < everybody.size(); ++rank) {
    if (everybody[rank].empty()) continue;
    const auto* text = reinterpret_cast<const char*>(everybody[rank].data());
    document_.failures.push_back({static_cast<int>(rank), document_.ranks[rank].host,
                                  Failure::Kind::wrong_data,
                                  std::string(text, everybody[rank].size())});
  }
}

ExitCode Session::close() {
  const auto after = cluster::read_counters(communicator_, document_.ranks);
  for (std::size_t i = 0; i < after.size(); ++i) document_.counters[i].after = after[i].before;
  const bool right = document_.failures.empty();
  const ExitCode code = right ? ExitCode::ok : ExitCode::wrong_data;
  if (communicator_.rank() == 0) {
    output_->finish(document_);
    print(program_.name(), document_.failures);
    end_with(code, right ? std::vector<std::string>{}
                         : std::vector{in_words(document_.failures.front())});
  }
  communicator_.barrier();
  return code;
}

ExitCode Session::fail(const job::RunFailure& failure) {
  if (communicator_.rank() != 0) communicator_.abort_channel().report(failure);
  const bool signal = failure.kind == Failure::Kind::interrupted;
  const auto said = communicator_.abort_channel().collect_reports(
      failure, signal ? kLastWordsAfterSignal : kLastWords);
  const ExitCode code = job::exit_code_of(said.front().kind);
  document_.failures.insert(document_.failures.end(), said.begin(), said.end());
  std::vector<std::string> reasons;
  for (const Failure& one : said) {
    if (one.kind != Failure::Kind::stopped) reasons.push_back(in_words(one));
  }
  if (output_) output_->clear_progress();
  std::cout << std::flush;
  print(program_.name(), said);
  try {
    end_with(code, std::move(reasons));
  } catch (const std::exception& error) {
    std::cerr << program_.name() << ": " << error.what() << "\n";
  }
  if (communicator_.ranks() > 1) job::Communicator::abort(static_cast<int>(code));
  return code;
}

void Session::end_with(ExitCode code, std::vector<std::string> reasons) {
  document_.exit_code = code;
  document_.reasons = std::move(reasons);
  document_.end = std::chrono::system_clock::now();
  if (output_) output_->write(document_);
}

}  // namespace railgauge::runner
