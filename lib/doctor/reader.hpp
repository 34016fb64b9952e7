#pragma once

#include <filesystem>
#include <string>

#include "topology/recording.hpp"

namespace railgauge::doctor {

/// Reads a host, and changes nothing on it. In addition to topology::record_here(): what checks
/// read, each value or why it could not be read. Of a `root` other than / it reads only files: a
/// tree that was copied from another host has no answers of the kernel's, and addresses are those
/// in its GIDs with the prefixes of its routing table. `version`: of this railgauge.
///
/// Nothing in it is a secret or names a user: of the kernel's command line, for example, nothing is
/// kept. Throws std::runtime_error if there is no such tree.
[[nodiscard]] topology::Recording record(const std::filesystem::path& root,
                                         const std::string& version);

/// Some folders and files hold many values, of which a recording has a summary. Pure functions.

/// "performance 62, powersave 2" of the governors of all CPUs.
[[nodiscard]] std::string counted_words(const std::vector<std::string>& words);

/// Settings in a PCI function's configuration space (PCI Express Base 6.0, 7.5.3 and 7.7.11), by
/// their names in a recording: max-payload, max-read-request, relaxed-ordering, acs. Empty without
/// the capability.
[[nodiscard]] std::map<std::string, std::string> pci_settings(const std::string& configuration);

}  // namespace railgauge::doctor
