#include "job/process_state.hpp"

#include <fstream>
#include <string>

namespace railgauge::job {

ProcessState state_of_process(int pid, const std::filesystem::path& proc) {
  std::ifstream file(proc / std::to_string(pid) / "stat");
  std::string line;
  if (!std::getline(file, line)) return ProcessState::ended;
  // The second field is the program's name in brackets, and may hold brackets and blanks.
  const std::size_t name_end = line.rfind(") ");
  if (name_end == std::string::npos || name_end + 2 >= line.size()) return ProcessState::there;
  switch (line[name_end + 2]) {
    case 'Z':
    case 'X': return ProcessState::ended;
    case 'T':
    case 't': return ProcessState::stopped;
    default: return ProcessState::there;
  }
}

std::string name_of_process(int pid, const std::filesystem::path& proc) {
  std::ifstream file(proc / std::to_string(pid) / "comm");
  std::string name;
  std::getline(file, name);
  return name;
}

int parent_of_process(int pid, const std::filesystem::path& proc) {
  std::ifstream file(proc / std::to_string(pid) / "status");
  std::string word;
  int parent = 0;
  while (file >> word) {
    if (word == "PPid:" && file >> parent) return parent;
  }
  return 0;
}

}  // namespace railgauge::job
