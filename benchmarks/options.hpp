#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reduce/reduction.hpp"
#include "results/document.hpp"
#include "schedule/algorithms.hpp"
#include "transport/verbs_transport.hpp"

namespace railgauge::benchmarks {

/// By which way ranks of one host exchange data.
enum class SameHost : std::uint8_t { rails, memory };

/// What the command line asks for; named as in nccl-tests where it has the option.
struct Options {
  std::uint64_t min_bytes = 32 << 20;
  std::uint64_t max_bytes = 32 << 20;
  std::uint64_t step_factor = 2;
  int iterations = 20;
  int warmup_iterations = 1;
  int check_iterations = 1;
  reduce::ElementType type = reduce::ElementType::float32;
  reduce::Operator op = reduce::Operator::sum;
  schedule::Collective collective = schedule::Collective::all_reduce;
  std::vector<const schedule::Algorithm*> algorithms;  // one row each; one that cannot serve the
                                                       // ranks is left out if all were asked for
  enum class Choice : std::uint8_t { named, all, automatic };
  Choice choice = Choice::named;
  int root = 0;                            // of the collectives that have one
  unsigned queue_pairs = 1;                // to each peer on each rail
  unsigned window = 0;                     // pieces under way on a lane; 0: the session settles it
  std::uint32_t slice_bytes = 128 * 1024;  // data travel in pieces of this size
  std::chrono::seconds time_limit{60};     // of one collective, of connecting, of any exchange
  transport::Connect connect = transport::Connect::exchange;
  SameHost same_host = SameHost::rails;
  int nodes = 0;                     // hosts that have to take part; 0: any number
  std::vector<std::string> devices;  // of this host, one rail each; empty: all that can be used
  int soft_rails = 0;                // as many devices of softroce are `devices`; 0: none
  std::string output_file;
  bool overwrite = false;
  std::map<std::string, results::Option> in_force;  // by long name, for the result document

  [[nodiscard]] std::vector<std::uint64_t> sizes() const;
};

/// Help and version end the program with `text` on stdout; a mistake with `text` on stderr.
struct ParsedOptions {
  std::optional<Options> options;  // empty: `text` is the answer
  std::string text;
  bool mistake = false;
};

/// Touches no device. Everything that can be said about the command line alone is checked here.
/// Options that mean nothing to the collective are unknown.
[[nodiscard]] ParsedOptions parse_options(const std::string& program,
                                          schedule::Collective collective, int argc, char** argv);

}  // namespace railgauge::benchmarks
