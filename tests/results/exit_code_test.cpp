#include "results/exit_code.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace railgauge::results {
namespace {

TEST(ExitCode, HasItsDocumentedNumberAndWord) {
  struct Documented {
    ExitCode code;
    int number;
    std::string_view word;
  };
  for (const auto& [code, number, word] :
       {Documented{ExitCode::ok, 0, "ok"}, Documented{ExitCode::verdict_failed, 1, "failed"},
        Documented{ExitCode::usage, 2, "usage"}, Documented{ExitCode::time_out, 3, "time-out"},
        Documented{ExitCode::wrong_data, 4, "wrong-data"},
        Documented{ExitCode::environment, 5, "environment"},
        Documented{ExitCode::interrupted, 130, "interrupted"}}) {
    EXPECT_EQ(static_cast<int>(code), number);
    EXPECT_EQ(status_word(code), word);
  }
}

TEST(ExitCode, HasNoWordForAnotherNumber) {
  EXPECT_EQ(status_word(static_cast<ExitCode>(99)), "");
}

}  // namespace
}  // namespace railgauge::results
