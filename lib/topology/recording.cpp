#include "topology/recording.hpp"

#include <charconv>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace railgauge::topology {
namespace {

constexpr std::string_view kFirstLine = "railgauge host 1";
constexpr std::string_view kXml = "<?xml";

struct Natural {
  bool operator()(const std::string& left, const std::string& right) const {
    return ::strverscmp(left.c_str(), right.c_str()) < 0;
  }
};

/// "eth1 10.10.0.8/24"
NetAddress net_address(const std::string& text) {
  const std::size_t space = text.find(' ');
  const std::size_t slash = text.find('/');
  if (space == std::string::npos || slash == std::string::npos || slash < space) {
    throw std::invalid_argument("expected an address like 'eth1 10.10.0.8/24'");
  }
  const auto address = parse_ip_address(text.substr(space + 1, slash - space - 1));
  int length = -1;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + slash + 1, end, length);
  if (!address || read.ptr != end || length < 0 || length > address_bits(*address)) {
    throw std::invalid_argument("expected an address with a prefix length");
  }
  return {text.substr(0, space), *address, length};
}

CpuSet cpus(const std::string& text) {
  if (auto list = parse_cpu_list(text)) return *list;
  throw std::invalid_argument("expected a list of cpus");
}

void take(const std::string& name, const std::string& value, Recording& into) {
  if (name == "host") {
    into.host = value;
  } else if (name == "allowed") {
    into.allowed = cpus(value);
  } else if (name == "default-route") {
    into.default_route = value;
  } else if (name == "address") {
    into.addresses.push_back(net_address(value));
  } else if (name.find('/') != std::string::npos) {
    into.files[name] = value;
  } else {
    throw std::invalid_argument("unknown name '" + name + "'");
  }
}

void take_line(const std::string& line, Recording& into) {
  const std::size_t colon = line.find(": ");
  const std::size_t arrow = line.find(" -> ");
  if (colon < arrow) {
    take(line.substr(0, colon), line.substr(colon + 2), into);
  } else if (arrow != std::string::npos) {
    into.links[line.substr(0, arrow)] = line.substr(arrow + 4);
  } else {
    throw std::invalid_argument("expected 'name: content' or 'link -> target'");
  }
}

std::string rest(std::istream& text) {
  std::ostringstream all;
  all << text.rdbuf();
  return all.str();
}

}  // namespace

std::string Recording::line(const std::string& path) const {
  const auto found = files.find(path);
  return found == files.end() ? "" : found->second;
}

std::string Recording::target(const std::string& path) const {
  const auto found = links.find(path);
  return found == links.end() ? "" : found->second;
}

std::vector<std::string> Recording::names(const std::string& folder) const {
  std::set<std::string, Natural> found;
  const std::string prefix = folder + "/";
  for (const auto* paths : {&files, &links}) {
    for (auto at = paths->lower_bound(prefix); at != paths->end(); ++at) {
      if (!at->first.starts_with(prefix)) break;
      found.insert(
          at->first.substr(prefix.size(), at->first.find('/', prefix.size()) - prefix.size()));
    }
  }
  return {found.begin(), found.end()};
}

Recording parse_recording(std::istream& text) {
  std::string line;
  if (!std::getline(text, line) || line != kFirstLine) {
    throw std::invalid_argument("line 1 is not '" + std::string(kFirstLine) + "'");
  }
  Recording recording;
  for (int number = 2; std::getline(text, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    if (line == "hwloc:") {
      recording.hwloc_xml = rest(text);
      break;
    }
    try {
      take_line(line, recording);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("line " + std::to_string(number) + ", '" + line +
                                  "': " + error.what());
    }
  }
  return recording;
}

Recording load_recording(const std::filesystem::path& file) {
  std::ifstream in(file);
  const std::string text = rest(in);
  if (!in || std::filesystem::is_directory(file)) {
    throw std::invalid_argument("cannot read " + file.string());
  }
  Recording recording;
  if (text.starts_with(kXml)) {
    recording.hwloc_xml = text;
  } else {
    std::istringstream lines(text);
    try {
      recording = parse_recording(lines);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(file.string() + " is not a recording of a host: " + error.what());
    }
  }
  if (recording.host.empty()) recording.host = file.stem();
  return recording;
}

std::string to_text(const Recording& recording) {
  std::string text = std::string(kFirstLine) + "\nhost: " + recording.host + "\n";
  if (!recording.allowed.empty()) text += "allowed: " + cpu_list(recording.allowed) + "\n";
  if (!recording.default_route.empty()) text += "default-route: " + recording.default_route + "\n";
  for (const NetAddress& one : recording.addresses) {
    text += "address: " + one.netdev + " " + to_string(one.address) + "/" +
            std::to_string(one.prefix_length) + "\n";
  }
  for (const auto& [path, line] : recording.files)
    text.append(path).append(": ").append(line) += '\n';
  for (const auto& [path, to] : recording.links)
    text.append(path).append(" -> ").append(to) += '\n';
  return text + "hwloc:\n" + recording.hwloc_xml;
}

}  // namespace railgauge::topology
