#pragma once

#include <string_view>

#include "verdict/logs/log.hpp"

// The formats of logs.

namespace railgauge::verdict {

struct Format {
  std::string_view name;
  bool (*recognises)(std::string_view text);
  LogContent (*reader)(std::string_view text, const Stated& stated);
  bool has_lines = true;  // or its complaints count records

  [[nodiscard]] LogContent read(std::string_view text, const Stated& stated = {}) const {
    return reader(text, stated);
  }
};

/// nccl-tests' and rccl-tests' tables, and railgauge's own, with whatever NCCL_DEBUG and launchers
/// put between and before their lines. Every table is a run; so is every cycle of -N.
///
/// Learnt from the lines around the rows: the collective ("Collective test starting"), ranks and
/// hosts (the devices), NCCL's version, the algorithm that NCCL_ALGO forced; of railgauge's own
/// table also NICs and line rate.
extern const Format kNcclTable;

/// nccl-tests' -J, versions 1 to 3. The collective is in the program's name; ranks are processes
/// times threads times GPUs. A complaint's line is the number of the result, counted from 1: JSON
/// has no lines to speak of. Throws std::runtime_error if a field is of the wrong type.
extern const Format kNcclJson;

/// rccl-tests' --output_file: CSV with a head, a JSON list, or the JSON objects one a line that it
/// wrote before 2025-07. One run for each collective and number of ranks.
extern const Format kRccl;

/// Tables of the OSU micro-benchmarks, over MPI, NCCL or RCCL. Collectives: times are the mean over
/// ranks ("Avg Latency"). Their sizes of all-gather, all-to-all, gather and scatter are one rank's
/// part, which nccl-tests counts `ranks` times: such a table is not read if `stated` has no ranks.
/// Pairs (osu_bw, osu_bibw, osu_latency, osu_mbw_mr): the collective is the program's name, and a
/// MB/s is 1e6 bytes.
extern const Format kOsu;

/// perftest's tables (ib_write_bw, ib_send_lat …), one run each; the collective is the program's
/// name, with _bidirectional for -b. Bandwidth is the average; perftest's MB/s are 2^20 bytes. A
/// time is t_typical, the median, or t_avg where a table (-D) has no other.
extern const Format kPerftest;

/// perftest's --out_json, of one size or several objects one after the other. Its bandwidth has no
/// unit: it is the one that makes it size times MsgRate. Versions that quote no names can be read.
extern const Format kPerftestJson;

/// IMB-MPI1, and oneCCL's benchmark. Times are the mean over ranks. #bytes of all-gather,
/// all-to-all(v), gather, scatter and, but for old versions, reduce-scatter are one rank's part,
/// which nccl-tests counts `ranks` times; "#processes" says how many. PingPong, PingPing and
/// Sendrecv are imb_pingpong, ...: bandwidth is that of one direction. Rows of no bytes are left
/// out.
extern const Format kImb;

/// ucc_perftest. Times are the mean over ranks. Whether sizes are one rank's part is not the same
/// for all collectives and versions: with its bandwidths (-F) and `stated` ranks the reader knows;
/// otherwise only all-reduce, broadcast and reduce are read.
extern const Format kUcc;

/// NCCL Inspector's JSON, an object for each operation, of formats up to v4.3. One run for each
/// communicator and collective; of several operations of one size the one with the median time.
/// Operations of pairs are left out.
extern const Format kInspector;

/// Gloo's benchmark, of all versions (their heads differ). Times are p50 of rank 0, and bandwidths
/// are worked out from them: its own are means, in 2^30 bytes. It counts elements, of all-gather,
/// scatter and all-to-all one rank's part; where it does not print bytes too, throws
/// std::invalid_argument unless `stated` names their type. Left out: what is no collective
/// (sendrecv_roundtrip, allreduce_local), and several inputs or threads at the same time.
extern const Format kGloo;

/// hccl_test, nccom-test, mscclpp-test and PARAM's comms benchmark. Their tables name no
/// collective: the command above does, or `stated`. PARAM's rows do, and its count of elements
/// tells, with the ranks, whether a size is of all of them; where it does not, rows are left out.
extern const Format kVendor;

}  // namespace railgauge::verdict
