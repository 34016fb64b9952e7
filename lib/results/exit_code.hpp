#pragma once

#include <string_view>

// lib/results holds the record of a run and its forms: the table, the JSON document, the exit code.
// It must not know how anything was measured, and it never talks to a device or to another rank.

namespace railgauge::results {

/// What a benchmark tells its caller. One run, one reason; the document's status is its word.
enum class ExitCode : int {
  ok = 0,
  verdict_failed = 1,  // what was found is not what was demanded: figures, or rails that fit
  usage = 2,           // the command line is wrong; no device was touched
  time_out = 3,
  wrong_data = 4,
  environment = 5,    // no device, no memory, no file: nothing the fabric did
  interrupted = 130,  // 128 + SIGINT, as a shell reports it
};

/// The word for it in the document. Empty: the number is no exit code of railgauge's.
constexpr std::string_view status_word(ExitCode code) {
  switch (code) {
    case ExitCode::ok: return "ok";
    case ExitCode::verdict_failed: return "failed";
    case ExitCode::usage: return "usage";
    case ExitCode::time_out: return "time-out";
    case ExitCode::wrong_data: return "wrong-data";
    case ExitCode::environment: return "environment";
    case ExitCode::interrupted: return "interrupted";
  }
  return "";
}

}  // namespace railgauge::results
