// Requests of Mooncake's open traces: lines of JSON with "timestamp" (ms), "input_length" and
// "output_length" (tokens) and "hash_ids" of blocks of 512 tokens. Source: kvcache-ai/Mooncake,
// FAST25-release/traces; Qin et al., "Mooncake", FAST'25.
//
// Of each request the caches of its input go from a prefill to a decode rank, in turn, in whole
// blocks: 2 * layers * kv_heads * head * element bytes a token (S_KV of the BMWG draft on inference
// fabrics), by default those of Llama-3-70B. None begins before it arrives. A step is the trace.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "finding/words.hpp"
#include "workload/traces/import.hpp"
#include "workload/traces/record.hpp"
#include "workload/traces/trace_input.hpp"

namespace railgauge::workload::traces {
namespace {

constexpr std::uint64_t kBlockTokens = 512;

struct Request {
  double arrival_ms = 0;
  std::uint64_t blocks = 0;
};

/// A number of a line that is at least 0 and below 2^53.
double number_of(const nlohmann::json& line, const char* name, const std::string& file,
                 const std::string& place) {
  constexpr double kMost = 9e15;
  const auto found = line.find(name);
  if (found != line.end() && found->is_number() && found->get<double>() >= 0 &&
      found->get<double>() < kMost)
    return found->get<double>();
  refuse(file, place, std::string("has no '") + name + "' of 0 or more");
}

Request request_of(const std::string& text, const std::string& file, const std::string& place) {
  const nlohmann::json line = nlohmann::json::parse(text, nullptr, false);
  if (!line.is_object()) refuse(file, place, "is no JSON object");
  constexpr double kMostTokens = 1e9;
  const double tokens = number_of(line, "input_length", file, place);
  if (tokens > kMostTokens || tokens != std::floor(tokens))
    refuse(file, place, "has an 'input_length' that is no number of tokens");
  const auto whole = static_cast<std::uint64_t>(tokens);
  return {number_of(line, "timestamp", file, place), (whole + kBlockTokens - 1) / kBlockTokens};
}

std::vector<Request> requests_in(const Files& files) {
  std::vector<Request> requests;
  for (const std::string& path : files) {
    TraceInput input(path);
    std::string line;
    for (std::size_t number = 1; std::getline(input.stream(), line); ++number) {
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      requests.push_back(request_of(line, path, "line " + std::to_string(number)));
    }
  }
  if (requests.empty()) throw std::invalid_argument(files.front() + ": has no requests");
  std::ranges::stable_sort(requests, {}, &Request::arrival_ms);
  return requests;
}

/// So many times for that rank, and never for others.
std::string if_rank(const std::string& rank, std::uint64_t times) {
  return "rank == " + rank + " ? " + std::to_string(times) + " : 0";
}

std::vector<Parameter> parameters() {
  return {{"prefill", {"ceil(ranks, 2)"}, "ranks, the first ones"},
          {"decode", {"ranks - prefill"}, "ranks, the others"},
          {"layers", {"80"}},
          {"kv_heads", {"8"}},
          {"head", {"128"}, "elements"},
          {"element", {"2"}, "bytes"},
          {"speed", {"1"}, "factor by which arrivals are faster"},
          {"block",
           {"2 * layers * kv_heads * head * element * " + std::to_string(kBlockTokens)},
           "bytes"}};
}

}  // namespace

Trace mooncake(const Files& files) {
  const auto requests = requests_in(files);
  Stream sends{.name = "requests"};
  Stream receives{.name = "requests"};
  std::uint64_t blocks = 0;
  for (std::size_t at = 0; at < requests.size(); ++at) {
    const std::string number = std::to_string(at);
    const std::string from = number + " % prefill";
    const double since_ms = requests[at].arrival_ms - requests.front().arrival_ms;
    Operation one{.name = "block", .kind = Kind::send, .bytes = {"block"}};
    one.arrival.text = std::to_string(std::llround(since_ms * 1000)) + " / speed";
    one.to.text = "prefill + " + number + " % decode";
    one.times.text = if_rank(from, requests[at].blocks);
    sends.operations.push_back(one);
    one.kind = Kind::receive;
    one.from.text = from;
    one.times.text = if_rank(std::exchange(one.to.text, ""), requests[at].blocks);
    receives.operations.push_back(std::move(one));
    blocks += requests[at].blocks;
  }
  Trace made{.ranks = 2};
  made.workload = {
      .name = "import of Mooncake requests",
      .description = "Caches of " + finding::counted(requests.size(), "request") +
                     " from prefill to decode ranks, each not before it arrives.",
      .assumptions = {"Every block is transferred, whatever prefix is cached already.",
                      "Prefill takes no time: a request is transferred when it arrives.",
                      "Requests go to the prefill and decode ranks in turn; those of a rank one "
                      "after the other.",
                      "Bytes are those of Llama-3-70B in bfloat16; --set replaces its layers."},
      .steps = 1,
      .parameters = parameters(),
      .conditions = {{{"prefill > 0 && decode > 0 && prefill + decode == ranks && speed > 0"},
                      "set prefill and decode so that their sum is the number of ranks"}},
      .classes = {{.name = "prefill", .when = {"rank < prefill"}, .streams = {std::move(sends)}},
                  {.name = "decode", .streams = {std::move(receives)}}},
      .closed_forms = {{"block", {std::to_string(blocks) + " * block"}}}};
  return made;
}

}  // namespace railgauge::workload::traces
