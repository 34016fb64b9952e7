#pragma once

#include "results/document.hpp"

namespace railgauge::runner {

/// What a test prints on rank 0's terminal: a table, a heat map, how much is left.
class Display {
 public:
  Display() = default;
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;
  virtual ~Display() = default;

  /// Everything above the first row.
  virtual void begin(const results::Document& document) = 0;
  /// The document's last row.
  virtual void row(const results::Document& document) = 0;
  /// Everything below the last row.
  virtual void end(const results::Document& document) = 0;
  /// Whether end() shows the findings; else the frame prints them on stderr.
  [[nodiscard]] virtual bool shows_findings() const { return false; }
  /// Removes what is only there for now, a progress line, before something else is printed.
  virtual void clear() {}
};

}  // namespace railgauge::runner
