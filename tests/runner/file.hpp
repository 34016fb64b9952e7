#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace railgauge::runner {

/// A file that is there as long as this.
class File {
 public:
  explicit File(const std::string& text)
      : path_(::testing::TempDir() + "railgauge_options_" + std::to_string(getpid())) {
    std::ofstream(path_) << text;
  }
  ~File() { std::remove(path_.c_str()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace railgauge::runner
