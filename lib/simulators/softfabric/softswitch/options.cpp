#include "softfabric/softswitch/options.hpp"

#include <getopt.h>

#include <array>
#include <stdexcept>

#include "softfabric/control.hpp"
#include "softfabric/quantity.hpp"

namespace railgauge::softfabric {
namespace {

constexpr const char* kUsage =
    "usage: softswitch --fabric FILE --control SOCKET [OPTION...]\n"
    "       softswitch --control SOCKET --ask REQUEST...\n"
    "\n"
    "The switches of a fabric (railgauge/fabric/1) in one process. Its network namespace holds "
    "the\n"
    "switch ends of all links to hosts, as launchers/fabric makes them; links between switches "
    "are\n"
    "within it. It takes CAP_NET_RAW, prints \"ready\" once it forwards, and ends with SIGTERM or\n"
    "SIGINT.\n"
    "\n"
    "  --fabric FILE      the description\n"
    "  --control SOCKET   where it listens for requests\n"
    "  --metrics FILE     write all counters there as JSON Lines\n"
    "  --interval TIME    between two lines (1s)\n"
    "  --late TIME        a packet is late that leaves so long after it is due (2ms)\n"
    "  --tick TIME        sleep for at least so long: less load, less punctual packets (20us)\n"
    "  --ask REQUEST...   send a request to the softswitch that listens there, and print its "
    "answer\n"
    "  --version, --help\n"
    "\n"
    "requests:\n";

constexpr const char* kExitStatus =
    "\n"
    "exit status: 0; 1 packets were lost track of, or an answer is an error; 2 usage; 5 it cannot\n"
    "start\n";

enum Option { fabric = 1, control, metrics, interval, late, tick, question, version, help };

constexpr std::array kLong{
    option{"fabric", required_argument, nullptr, Option::fabric},
    option{"control", required_argument, nullptr, Option::control},
    option{"metrics", required_argument, nullptr, Option::metrics},
    option{"interval", required_argument, nullptr, Option::interval},
    option{"late", required_argument, nullptr, Option::late},
    option{"tick", required_argument, nullptr, Option::tick},
    option{"ask", no_argument, nullptr, Option::question},
    option{"version", no_argument, nullptr, Option::version},
    option{"help", no_argument, nullptr, Option::help},
    option{nullptr, 0, nullptr, 0},
};

std::chrono::nanoseconds time_of(const char* name, const std::string& text) {
  const auto time = parse_duration(text);
  if (time && time->count() > 0) return *time;
  throw std::invalid_argument(std::string("--") + name + " takes a time, such as 1s, not '" + text +
                              "'");
}

void set(Options& options, int which) {
  const std::string value = optarg == nullptr ? "" : optarg;
  switch (which) {
    case Option::fabric: options.fabric = value; return;
    case Option::control: options.control = value; return;
    case Option::metrics: options.metrics = value; return;
    case Option::interval: options.interval = time_of("interval", value); return;
    case Option::late: options.late = time_of("late", value); return;
    case Option::tick: options.tick = time_of("tick", value); return;
    case Option::version: options.version = true; return;
    case Option::help: options.help = true; return;
    default: throw std::invalid_argument("see softswitch --help");
  }
}

void check(const Options& options, bool asks, bool words_left) {
  if (options.help || options.version) return;
  if (options.control.empty()) throw std::invalid_argument("--control SOCKET is missing");
  if (asks && options.question.empty()) throw std::invalid_argument("--ask takes a request");
  if (!asks && words_left) throw std::invalid_argument("words without an option: see --help");
  if (!asks && options.fabric.empty()) throw std::invalid_argument("--fabric FILE is missing");
}

}  // namespace

Options parse_options(int count, char** arguments) {
  Options options;
  bool asks = false;
  // "+": what follows --ask is the request. There is no other thread yet.
  for (int which = 0;
       !asks && (which = getopt_long(count, arguments, "+", kLong.data(), nullptr)) != -1;) {
    asks = which == Option::question;
    if (!asks) set(options, which);
  }
  for (int at = optind; asks && at < count; ++at) {
    options.question += (options.question.empty() ? "" : " ") + std::string(arguments[at]);
  }
  check(options, asks, optind < count);
  return options;
}

std::string help_text() {
  return kUsage + std::string(kRequests) + kExitStatus;
}

}  // namespace railgauge::softfabric
