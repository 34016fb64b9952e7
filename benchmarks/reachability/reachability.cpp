#include "benchmarks/reachability/reachability.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>
#include <thread>

#include "runner/probe.hpp"

namespace railgauge::benchmarks {
namespace {

using reachability::Meeting;
using reachability::Reach;

// Then the processor is perhaps what the others wait for.
constexpr int kIdlePolls = 1000;

int number_of(const job::Communicator& communicator) {
  return static_cast<int>(communicator.rank());
}

}  // namespace

/// This rank's end of a meeting.
struct Reachability::Test {
  int rail = 0;
  reachability::Place peer;
  std::unique_ptr<runner::Probe> probe;
};

Reachability::Reachability(job::Communicator& communicator, const ReachabilityOptions& options,
                           const AllNics& all, const std::vector<verbs::Port>& own)
    : communicator_(communicator), options_(options), all_(all), matrix_(all.nics) {
  for (const auto& [place, index] : all.at[communicator.rank()]) {
    const auto is_it = [&nic = all.nics[index]](const verbs::Port& port) {
      return port.device == nic.device && port.number == nic.port;
    };
    nics_.emplace(place, std::make_unique<runner::ProbedNic>(*std::ranges::find_if(own, is_it)));
  }
}

int Reachability::rounds() const {
  return reachability::meeting_rounds(std::vector<int>(all_.at.size(), all_.places),
                                      options_.scope);
}

/// Of NICs that are there.
std::vector<Meeting> Reachability::meetings(int round) const {
  auto all =
      reachability::meetings(std::vector<int>(all_.at.size(), all_.places), options_.scope, round);
  std::erase_if(all,
                [&](const Meeting& one) { return !all_.has(one.first) || !all_.has(one.second); });
  return all;
}

const reachability::Matrix& Reachability::measure() {
  for (int pass = 0; pass <= options_.retries; ++pass) {
    if (pass > 0) ask_again_what_is_slow();
    run_all();
    if (pass == 0) ask_what_has_no_answer();
  }
  return matrix_;
}

void Reachability::run_all() {
  for (int round = 0; round < rounds(); ++round) run(round);
  share();
}

void Reachability::ask_what_has_no_answer() {
  again_.assign(all_.nics.size() * all_.nics.size(), false);
  for_open_ways(
      [&](std::size_t from, std::size_t to) { again_[from * all_.nics.size() + to] = true; });
  run_all();
  settle_what_has_no_answer();
}

void Reachability::settle_what_has_no_answer() {
  std::vector<std::pair<std::size_t, std::size_t>> open;
  for_open_ways([&](std::size_t from, std::size_t to) { open.emplace_back(from, to); });
  for (const auto& [from, to] : open) {
    matrix_.add(
        from, to,
        {.reason = "messages of 8 bytes pass, but both attempts ended before it could write "
                   "more"});
  }
}

/// Ways that were to be tested, and of which nothing is known yet. All ranks have the same matrix
/// between passes, and so find the same.
template <class Action>
void Reachability::for_open_ways(Action action) const {
  for (int round = 0; round < rounds(); ++round) {
    for (const Meeting& one : meetings(round)) {
      const std::size_t first = all_.index(one.first);
      const std::size_t second = all_.index(one.second);
      if (!matrix_.at(first, second)) action(first, second);
      if (!matrix_.at(second, first)) action(second, first);
    }
  }
}

void Reachability::run(int round) {
  if (std::ranges::none_of(meetings(round), [&](const Meeting& one) { return is_asked(one); }))
    return;
  std::vector<Test> tests = tests_of(round);
  connect(tests);
  drive(tests);
  record(tests);
}

/// All ranks have the same matrix when a pass begins, and so choose the same.
void Reachability::ask_again_what_is_slow() {
  const reachability::Kind same = kind_of(matrix_, true);
  const reachability::Kind cross = kind_of(matrix_, false);
  const std::size_t count = all_.nics.size();
  again_.assign(count * count, false);
  for (std::size_t from = 0; from < count; ++from) {
    for (std::size_t to = 0; to < count; ++to) {
      const auto& reach = matrix_.at(from, to);
      again_[from * count + to] =
          reach && looks_slow(*reach, matrix_.same_rail(from, to) ? same : cross);
    }
  }
}

bool Reachability::is_asked(const Meeting& meeting) const {
  if (again_.empty()) return true;
  const std::size_t count = all_.nics.size();
  const std::size_t first = all_.index(meeting.first);
  const std::size_t second = all_.index(meeting.second);
  return again_[first * count + second] || again_[second * count + first];
}

/// Where the first to write fails, the second does not get its turn. So it is the one whose way is
/// asked again, or nothing would be learnt of a good way next to a broken one.
Meeting Reachability::in_order(const Meeting& meeting) const {
  if (again_.empty()) return meeting;
  const std::size_t way = all_.index(meeting.second) * all_.nics.size() + all_.index(meeting.first);
  return again_[way] ? Meeting{meeting.second, meeting.first} : meeting;
}

std::vector<Reachability::Test> Reachability::tests_of(int round) {
  const int own = number_of(communicator_);
  std::vector<Test> tests;
  for (const Meeting& meeting : meetings(round)) {
    const auto [first, second] = in_order(meeting);
    const bool is_first = first.host == own;
    if ((!is_first && second.host != own) || !is_asked(meeting)) continue;
    const int rail = is_first ? first.rail : second.rail;
    tests.push_back(
        {rail, is_first ? second : first,
         std::make_unique<runner::Probe>(
             *nics_.at(rail), is_first ? runner::Probe::Part::first : runner::Probe::Part::second,
             options_.time)});
  }
  return tests;
}

void Reachability::connect(std::vector<Test>& tests) {
  std::vector<runner::ProbeOffer> offers(static_cast<std::size_t>(all_.places));
  for (const Test& test : tests) {
    offers[static_cast<std::size_t>(test.rail)] = test.probe->offer();
  }
  const auto everybody = transport::all_gather(communicator_, offers);
  std::vector<char> connected(offers.size());
  const auto of_peer = [](const auto& lists, const Test& test) {
    return lists[static_cast<std::size_t>(test.peer.host)].at(
        static_cast<std::size_t>(test.peer.rail));
  };
  for (const Test& test : tests) {
    connected[static_cast<std::size_t>(test.rail)] =
        test.probe->connect(of_peer(everybody, test)) ? 1 : 0;
  }
  const auto all_connected = transport::all_gather(communicator_, connected);
  for (const Test& test : tests) test.probe->start(of_peer(all_connected, test) != 0);
}

void Reachability::drive(std::vector<Test>& tests) {
  bool going_on = true;
  for (int polls = 1; going_on; ++polls) {
    going_on = false;
    for (const Test& test : tests) going_on = test.probe->advance() || going_on;
    if (polls % kIdlePolls == 0) {
      communicator_.abort_channel().check();
      std::this_thread::yield();
    }
  }
}

/// Of every rank, by place. Once a rank has them, all tests are over everywhere: a queue pair that
/// is gone could not have acknowledged.
std::vector<std::vector<double>> Reachability::ran_listening(const std::vector<Test>& tests) {
  std::vector<double> own(static_cast<std::size_t>(all_.places), 1);
  for (const Test& test : tests) {
    own[static_cast<std::size_t>(test.rail)] = test.probe->ran_listening();
  }
  return transport::all_gather(communicator_, own);
}

/// Hardware writes without the processor of who listens. Of when an end of a software device ran
/// nothing is known but its share.
void Reachability::record(const std::vector<Test>& tests) {
  const auto listening = ran_listening(tests);
  for (const Test& test : tests) {
    auto reach = test.probe->reach();
    if (!reach) continue;
    if (all_.nics[all_.index(test.peer)].software) {
      reach->ran_share *= listening[static_cast<std::size_t>(test.peer.host)].at(
          static_cast<std::size_t>(test.peer.rail));
    }
    matrix_.add(all_.index({number_of(communicator_), test.rail}), all_.index(test.peer), *reach);
  }
}

/// Every rank's rows, to all.
void Reachability::share() {
  nlohmann::json own = nlohmann::json::array();
  const std::size_t count = all_.nics.size();
  for (const auto& [place, nic] : nics_) {
    const std::size_t from = all_.index({number_of(communicator_), place});
    for (std::size_t to = 0; to < count; ++to) {
      const auto& reach = matrix_.at(from, to);
      if (!reach) continue;
      own.push_back({from, to, reach->reached, reach->latency_us, reach->gigabytes_per_second,
                     reach->reason, reach->ran_share});
    }
  }
  const std::vector<std::uint8_t> packed = nlohmann::json::to_cbor(own);
  for (const auto& bytes : communicator_.all_gather(std::as_bytes(std::span(packed)))) {
    const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
    for (const auto& cell : nlohmann::json::from_cbor(begin, begin + bytes.size())) {
      matrix_.add(cell[0], cell[1], Reach{cell[2], cell[3], cell[4], cell[5], cell[6]});
    }
  }
}

}  // namespace railgauge::benchmarks
