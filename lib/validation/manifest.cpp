#include "validation/manifest.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <sstream>
#include <stdexcept>

#include "results/file_descriptor.hpp"
#include "results/input_file.hpp"
#include "validation/process.hpp"

namespace railgauge::validation {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "SHA256SUMS";
constexpr std::chrono::hours kLimit{1};

/// Relative to the folder, sorted; hidden files are the supervisor's own.
std::vector<std::string> files_of(const Site& site) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(site.folder)) {
    const std::string name = fs::relative(entry.path(), site.folder);
    if (entry.is_regular_file() && !name.starts_with('.') && name != kManifest)
      files.push_back(name);
  }
  std::ranges::sort(files);
  return files;
}

/// Runs sha256sum in the folder, which may be read-only; returns what it printed.
std::string output_of_sha256sum(const Site& site, const std::vector<std::string>& arguments,
                                int& status) {
  const results::FileDescriptor memory(::memfd_create("sha256sum", MFD_CLOEXEC));
  const fs::path log = "/proc/self/fd/" + std::to_string(memory.number());
  Job job{.words = {"sha256sum"},
          .log = log,
          .folder = site.folder,
          .limit = std::chrono::duration_cast<std::chrono::seconds>(kLimit)};
  job.words.insert(job.words.end(), arguments.begin(), arguments.end());
  const Ending ending = run(job);
  status = ending.status;
  std::string text = results::read_input(log);
  if (ending.how != Ending::How::exited)
    throw std::runtime_error("sha256sum: " + ending.why + "; it is of Debian's package coreutils");
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The file of "HASH  NAME".
std::string name_in(const std::string& line) {
  const std::size_t blank = line.find(' ');
  return blank == std::string::npos || blank + 2 > line.size() ? "" : line.substr(blank + 2);
}

}  // namespace

void write_manifest(const Site& site) {
  std::vector<std::string> arguments{"--"};
  std::ranges::copy(files_of(site), std::back_inserter(arguments));
  int status = 0;
  const std::string sums = output_of_sha256sum(site, arguments, status);
  if (status != 0) throw std::runtime_error(site.manifest().string() + ": " + sums);
  replace_file(site.manifest(), sums);
}

std::vector<std::string> verified(const Site& site) {
  const std::string sums = results::read_input(site.manifest());
  if (sums.empty()) throw std::runtime_error(site.manifest().string() + " is empty");
  int status = 0;
  const std::string said =
      output_of_sha256sum(site, {"--check", "--strict", "--quiet", kManifest}, status);
  std::vector<std::string> wrong;
  if (status != 0) wrong = lines_of(said);
  std::set<std::string> listed;
  for (const std::string& line : lines_of(sums)) listed.insert(name_in(line));
  for (const std::string& file : files_of(site)) {
    if (!listed.contains(file)) wrong.push_back(file + ": not in the manifest");
  }
  return wrong;
}

}  // namespace railgauge::validation
