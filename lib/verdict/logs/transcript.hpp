#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::verdict {

/// A log as its benchmark wrote it: in UTF-8, without what terminals, launchers and collectors of
/// logs put around and into its lines. Lines of several ranks or hosts that the log has mixed are
/// sorted by them, if more than one of them wrote figures.
///
/// Taken away: colours and other control sequences; from the beginnings of lines the prefixes of
/// Open MPI ("[1,0]<stdout>:", also in mid-line), srun -l, MPICH, pdsh ("host: "), docker compose
/// ("name | ") and kubectl ("[pod/name/container] "), time stamps, CRI's "stdout F ", syslog's
/// "Jan 31 12:00:00 host name[1]: ", quotation marks ("> "); lines of JSON (docker, journald,
/// notebooks, Ansible) become the lines that they hold. "host: " and "name | " count as prefixes
/// only if nearly all lines have one.
struct Transcript {
  std::string text{};
  std::vector<std::size_t> numbers{};  // [line of text, from 0] where it stands in the log, from 1
};

Transcript transcript_of(std::string_view log);

}  // namespace railgauge::verdict
