#include "soak/parts.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <system_error>

namespace railgauge::soak {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPacked = ".gz";

/// "12" and "12.gz" of FILE.12 and FILE.12.gz; other names, as FILE.state, have none.
std::optional<std::size_t> number_of(std::string_view rest) {
  std::size_t number = 0;
  const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  const std::string_view behind(read.ptr, rest.data() + rest.size());
  const bool fits = read.ec == std::errc{} && (behind.empty() || behind == kPacked);
  return fits && number > 0 ? std::optional(number) : std::nullopt;
}

bool compress(const fs::path& plain, gzFile packed) {
  std::ifstream in(plain, std::ios::binary);
  std::array<char, 1U << 16U> block{};
  while (in) {
    in.read(block.data(), block.size());
    const auto count = static_cast<unsigned>(in.gcount());
    if (count > 0 && gzwrite(packed, block.data(), count) != static_cast<int>(count)) return false;
  }
  return in.eof();
}

/// gzclose() writes the rest, and may be the one that finds the disk full.
bool compress_to(const fs::path& plain, const fs::path& packed) {
  gzFile out = gzopen(packed.c_str(), "wb");
  if (out == nullptr) return false;
  const bool written = compress(plain, out);
  return gzclose(out) == Z_OK && written;
}

bool sync(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool synced = ::fsync(file) == 0;
  ::close(file);
  return synced;
}

}  // namespace

std::vector<Part> parts_of(const fs::path& record) {
  const std::string prefix = record.filename().string() + ".";
  const fs::path folder = record.has_parent_path() ? record.parent_path() : fs::path(".");
  std::map<std::size_t, fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(prefix)) continue;
    const auto number = number_of(std::string_view(name).substr(prefix.size()));
    if (!number) continue;
    fs::path& path = found[*number];
    if (path.empty() || name.ends_with(kPacked)) path = entry.path();  // packed: it is whole
  }
  std::vector<Part> parts;
  parts.reserve(found.size());
  for (auto& [number, path] : found) parts.push_back({number, std::move(path)});
  return parts;
}

bool pack(const fs::path& plain) {
  const fs::path packed = plain.string() + std::string(kPacked);
  const fs::path unfinished = packed.string() + ".tmp";
  std::error_code failed;
  if (compress_to(plain, unfinished) && sync(unfinished)) {
    fs::rename(unfinished, packed, failed);
    if (!failed) return fs::remove(plain, failed);
  }
  fs::remove(unfinished, failed);
  return false;
}

}  // namespace railgauge::soak
