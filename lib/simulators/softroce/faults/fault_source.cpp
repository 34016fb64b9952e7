#include "softroce/faults/fault_source.hpp"

#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace railgauge::softroce {
namespace {

constexpr const char* kRules = "SOFTROCE_FAULTS";
constexpr const char* kFile = "SOFTROCE_FAULTS_FILE";
constexpr nanoseconds kBetweenLooks = std::chrono::milliseconds(50);

std::string from_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

FileState state_of(const std::string& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) return {};
  return {found.st_ino, found.st_size,
          std::chrono::seconds(found.st_mtim.tv_sec) + nanoseconds(found.st_mtim.tv_nsec)};
}

[[noreturn]] void invalid(const std::string& path, const std::string& why) {
  throw std::invalid_argument(std::string(kFile) + "=" + path + ": " + why);
}

std::string contents(const std::string& path) {
  struct stat found {};
  // A pipe would block for ever, and can be read only once.
  if (stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode)) {
    invalid(path, "this is not a regular file");
  }
  // 'e': a program that the user's thread starts at this moment does not inherit the file.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"),
                                                             std::fclose);
  if (!file) invalid(path, std::string("cannot be read: ") + std::strerror(errno));
  std::string text;
  std::array<char, 4096> part{};
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), file.get())) {
    text.append(part.data(), count);
  }
  if (std::ferror(file.get()) != 0) invalid(path, "cannot be read");
  return text;
}

FaultPlan parsed_file(const std::string& path) {
  const std::string text = contents(path);
  try {
    return parse_faults(text);
  } catch (const std::invalid_argument& error) {
    invalid(path, error.what());
  }
}

/// Of a device that the rules name and the process does not have; empty: it has all.
std::string absence(const FaultPlan& plan, int devices) {
  const std::string_view name = absent_device(plan, devices);
  if (name.empty()) return {};
  const std::string more = devices == 1 ? "" : " to " + device_name(devices - 1);
  return "'" + std::string(name) + "' is not a device of this process, which has soft0" + more +
         " (SOFTROCE_RAILS=" + std::to_string(devices) + ")";
}

FaultPlan parsed_variable(const std::string& rules, int devices) {
  try {
    FaultPlan plan = parse_faults(rules);
    const std::string absent = absence(plan, devices);
    if (absent.empty()) return plan;
    throw std::invalid_argument(absent + "; rules that several hosts share belong in " + kFile);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string(kRules) + ": " + error.what());
  }
}

}  // namespace

FaultSource::FaultSource(Complaints complaints, int devices)
    : complaints_(complaints), devices_(devices), path_(from_environment(kFile)) {
  const std::string rules = from_environment(kRules);
  if (!path_.empty() && !rules.empty()) {
    throw std::invalid_argument(std::string(kRules) + " and " + kFile +
                                " are both set: set only one of them");
  }
  // First the state, then the content: a write in between shows at the next check.
  read_ = seen_ = state_of(path_);
  plan_ = path_.empty() ? parsed_variable(rules, devices_) : parsed_file(path_);
  tell_absence();
}

bool FaultSource::changed(Time now) {
  if (path_.empty() || (last_look_ && now - *last_look_ < kBetweenLooks)) return false;
  last_look_ = now;
  const FileState before = std::exchange(seen_, state_of(path_));
  if (seen_ == read_ || seen_ != before) return false;
  read_ = seen_;
  return reread();
}

void FaultSource::tell_absence() const {
  const std::string absent = absence(plan_, devices_);
  if (absent.empty() || complaints_ != Complaints::told) return;
  std::fprintf(stderr, "softroce: %s=%s: %s; its rules have no effect here\n", kFile, path_.c_str(),
               absent.c_str());
}

bool FaultSource::reread() {
  try {
    plan_ = parsed_file(path_);
    tell_absence();
    return true;
  } catch (const std::invalid_argument& error) {
    if (complaints_ == Complaints::told) {
      std::fprintf(stderr, "softroce: %s; the previous faults remain in force\n", error.what());
    }
    return false;
  }
}

}  // namespace railgauge::softroce
