// How the fabric does under load: what tests with more than one flow found, by what they saw.

#include "doctor/judging.hpp"

namespace railgauge::doctor {

// NOLINTNEXTLINE(readability-function-size): rows of data
Checks fabric_checks() {
  const std::string_view incast = "congestion";
  return {
      {.name = "incast-ecn",
       .title = "ECN under incast",
       .expects = "marks come, before any pause, and only under congestion",
       .adopts_from = incast,
       .metrics = {"ECN marks"},
       .counts = "ECN marks",
       .if_none = Verdict::unknown,
       .source =
           "Zhu et al., SIGCOMM 2015: marks come before pauses; they are seen, whatever is set"},
      {.name = "incast-cnp",
       .title = "CNPs under incast",
       .expects = "receivers answer marks, the answers arrive, and senders slow down",
       .adopts_from = incast,
       .metrics = {"CNPs sent", "CNPs received", "ignored CNPs", "pause frames in the second half"},
       .counts = "ECN marks",
       .if_none = Verdict::skip,
       .source = "mlx5 counters: np_cnp_sent, rp_cnp_handled, rp_cnp_ignored"},
      {.name = "incast-pfc",
       .title = "PFC under incast",
       .expects = "senders obey pause frames; a receiver sends none below the line rate",
       .adopts_from = incast,
       .metrics = {"pause frames", "pause frames of the host"},
       .counts = "pause frames",
       .if_none = Verdict::skip,
       .source = "IEEE 802.1Qbb: PFC on both ends of a link"},
      {.name = "incast-buffer",
       .title = "buffers under incast",
       .expects = "no packet is dropped",
       .adopts_from = incast,
       .metrics = {"dropped packets"},
       .counts = "dropped packets",
       .source = "dcb-buffer(8); Microsoft, SIGCOMM 2016: headroom"},
      {.name = "incast-class",
       .title = "class of packets across switches",
       .expects = "every switch keeps it",
       .adopts_from = incast,
       .metrics = {"packets that changed their priority", "packets in a foreign priority"},
       .counts = "packets of switches",
       .if_none = Verdict::skip,
       .source = "Microsoft, SIGCOMM 2016: PFC by DSCP needs one map on all switches"},
      {.name = "incast-shares",
       .title = "shares of flows of one class",
       .expects = "equal; and a flow to another receiver keeps its bandwidth",
       .adopts_from = incast,
       .metrics = {"bandwidth", "Jain index"},
       .source = "Zhu et al., SIGCOMM 2015: victim flows; own values"},
      {.name = "isolated-link",
       .title = "component that slow paths share",
       .expects = "none",
       .adopts_from = "isolate",
       .if_bad_paths = true,
       .source = "own rule: the component that slow paths share"},
  };
}

}  // namespace railgauge::doctor
