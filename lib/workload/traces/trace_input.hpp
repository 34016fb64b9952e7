#pragma once

#include <zlib.h>

#include <array>
#include <istream>
#include <memory>
#include <streambuf>
#include <string>

namespace railgauge::workload::traces {

/// A file as a stream of text, packed by gzip or not. Throws std::runtime_error if it cannot be
/// read; reading throws std::invalid_argument if it is cut or damaged, with its name.
class TraceInput {
 public:
  explicit TraceInput(const std::string& path);

  [[nodiscard]] std::istream& stream() { return stream_; }
  /// All that is left of it.
  [[nodiscard]] std::string rest();

 private:
  class Buffer : public std::streambuf {
   public:
    explicit Buffer(const std::string& path);

   private:
    int_type underflow() override;

    std::string path_;
    std::unique_ptr<gzFile_s, int (*)(gzFile)> file_;
    std::array<char, 1U << 16U> block_{};
  };

  Buffer buffer_;
  std::istream stream_;
};

}  // namespace railgauge::workload::traces
