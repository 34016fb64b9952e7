#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/reachability.hpp"

namespace railgauge::results {

enum class IsolateVerdict : std::uint8_t { pass, fail, inconclusive };

/// "PASS", "FAIL", "INCONCLUSIVE".
[[nodiscard]] constexpr std::string_view word(IsolateVerdict verdict) {
  switch (verdict) {
    case IsolateVerdict::pass: return "PASS";
    case IsolateVerdict::fail: return "FAIL";
    case IsolateVerdict::inconclusive: return "INCONCLUSIVE";
  }
  return "";
}

/// One NIC's sending to another for a short time, by one source port.
struct IsolateRow {
  Endpoint from{};
  Endpoint to{};
  std::uint16_t source_port = 0;
  bool port_was_set = false;  // by a call of its own; else it is what the kernel's rule makes of
                              // the flow label
  int round = 0;              // tests of one round ran at the same time, or one after the other
  bool alone = false;         // nothing else of ours was sent meanwhile
  std::vector<std::string>
      hops{};            // the switches on its way, in order; "" for one that is not known
  bool sprayed = false;  // its packets took several ways: hops are of one of them
  bool failed = false;   // it did not come to its end
  std::optional<double> gigabytes_per_second{};
  std::optional<double> p50_us{};  // of 8-byte writes, from post to completion
  std::optional<double> p99_us{};
  std::optional<std::int64_t> packets{};       // that the sender sent
  std::optional<std::int64_t> lost_packets{};  // of them, that ports counted as missing
  /// Of software devices: for how much of the time threads at one end, the worse, waited for a
  /// processor.
  std::optional<double> waited_share{};
  /// Why it is no evidence unless it lost packets: an end's process did not run for a part of the
  /// time, or it was slow and waited_share may be why. Empty if it is.
  std::string void_because{};
  std::string symptoms{};  // "lossy", "slow", "late", "dead", with commas; empty: none
  std::string reason{};    // why it failed, a sentence

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("from", self.from);
    visit.required("to", self.to);
    visit.required("source_port", self.source_port);
    visit("port_was_set", self.port_was_set);
    visit.required("round", self.round);
    visit("alone", self.alone);
    visit("hops", self.hops);
    visit("sprayed", self.sprayed);
    visit.required("failed", self.failed);
    visit("gigabytes_per_second", self.gigabytes_per_second);
    visit("p50_us", self.p50_us);
    visit("p99_us", self.p99_us);
    visit("packets", self.packets);
    visit("lost_packets", self.lost_packets);
    visit("waited_share", self.waited_share);
    visit("void_because", self.void_because);
    visit("symptoms", self.symptoms);
    visit("reason", self.reason);
  }
};

/// A part of the fabric that tests speak against.
struct IsolateSuspect {
  std::string kind{};                // "link", "nic-sends", "host", "spine", ...: lib/isolation
  std::string where{};               // "link leaf0 -> spine2"
  std::string certainty{};           // "named", "suspect", "withdrawn"
  std::vector<std::string> alike{};  // others that no test tells from it
  std::string rival{};               // the next in likelihood; empty if there is none
  double log10_odds = 0;             // against that nothing is bad here
  double log10_odds_to_rival = 0;
  std::uint64_t bad = 0;  // tests through it, that nothing else explains
  std::uint64_t tests = 0;
  std::uint64_t bad_alone = 0;  // of them, those that ran alone
  std::uint64_t tests_alone = 0;
  std::vector<std::uint64_t> rows_for{};      // a few rows that speak for it, by their place
  std::vector<std::uint64_t> rows_against{};  // and that passed it and were good
  std::string advice{};                       // what to look at

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("kind", self.kind);
    visit.required("where", self.where);
    visit.required("certainty", self.certainty);
    visit("alike", self.alike);
    visit("rival", self.rival);
    visit("log10_odds", self.log10_odds);
    visit("log10_odds_to_rival", self.log10_odds_to_rival);
    visit("bad", self.bad);
    visit("tests", self.tests);
    visit("bad_alone", self.bad_alone);
    visit("tests_alone", self.tests_alone);
    visit("rows_for", self.rows_for);
    visit("rows_against", self.rows_against);
    visit("advice", self.advice);
  }
};

/// What a search for the bad component found.
struct IsolateBody {
  static constexpr const char* kKind = "isolate";

  IsolateVerdict isolate_verdict = IsolateVerdict::inconclusive;
  std::vector<std::string> sentences{};  // the verdict in words: a suspect each, then the whole
  std::vector<IsolateSuspect> suspects{};
  int rounds = 0;                    // of tests at the same time
  double coverage = 0;               // share of components tested often enough to be found if bad
  double noise = 0;                  // share of tests that are bad where nothing is, at most
  std::uint64_t imported_tests = 0;  // of other documents (--evidence); they have no rows here
  std::vector<IsolateRow> rows{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.word("isolate_verdict", self.isolate_verdict, &word);
    visit("sentences", self.sentences);
    visit("suspects", self.suspects);
    visit("rounds", self.rounds);
    visit("coverage", self.coverage);
    visit("noise", self.noise);
    visit("imported_tests", self.imported_tests);
    visit("rows", self.rows);
  }
};

}  // namespace railgauge::results
