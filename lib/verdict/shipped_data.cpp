#include <filesystem>

#include "verdict/library.hpp"

namespace railgauge::verdict {

namespace fs = std::filesystem;

fs::path shipped_data() {
  // Seen from the program: bin/railgauge, next to share/railgauge.
  const fs::path program = fs::read_symlink("/proc/self/exe");
  const fs::path installed = program.parent_path() / RAILGAUGE_DATA_FOLDER;
  return fs::exists(installed / "reference") ? installed.lexically_normal()
                                             : fs::path(RAILGAUGE_SOURCE_DATA);
}

}  // namespace railgauge::verdict
