#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "workload/check.hpp"
#include "workload/documents.hpp"
#include "workload/job.hpp"
#include "workload/traces/import.hpp"

namespace railgauge::workload::traces {

/// A folder of its own for a test's traces.
class Written {
 public:
  explicit Written(const std::string& name)
      : folder_(std::filesystem::temp_directory_path() /
                ("railgauge_traces_" + name + "_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;
  ~Written() { std::filesystem::remove_all(folder_); }

  std::string add(const std::string& name, const std::string& text) {
    const std::string path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    files_.push_back(path);
    return path;
  }
  [[nodiscard]] const Files& files() const { return files_; }

 private:
  std::filesystem::path folder_;
  Files files_{};
};

/// The document of an import, read again and proved.
struct Imported {
  Document document;
  Workload workload;
  Job job;

  Imported(std::string_view format, const Files& files)
      : document(document_of(*std::ranges::find(formats(), format, &TraceFormat::name), files)),
        workload(read(document.text)),
        job(job_of(workload, document.ranks)) {
    check(workload, job);
  }
};

inline std::string refusal(std::string_view format, const Files& files) {
  return error_of([&] { (void)Imported(format, files); });
}

/// Nothing is expected of a healthy trace.
inline void expect_words(const std::string& found, const std::string& words) {
  EXPECT_TRUE(words.empty() ? found.empty() : found.find(words) != std::string::npos)
      << words << "\n"
      << found;
}

}  // namespace railgauge::workload::traces
