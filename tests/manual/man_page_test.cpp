#include <gtest/gtest.h>

#include "manual/manual.hpp"
#include "sample_manual.hpp"

namespace railgauge::manual {
namespace {

TEST(ManPage, OfAProgramIsThis) {
  EXPECT_EQ(man_page(sample_manual(), "0.1.0"),
            R"(.TH RING_PERF 1 "" "railgauge 0.1.0" "User Commands"
.SH NAME
ring_perf \- Runs rings
.SH SYNOPSIS
\fBring_perf\fR [\fIOPTION\fR...]
.SH OPTIONS
.SS Sizes
.TP
\fB\-b\fR, \fB\-\-minbytes\fR \fISIZE\fR
Smallest size. Default: 32M.
.SS Axes
.TP
\fB\-\-algo\fR \fINAME[,...]\fR
Algorithms. Default: ring.
.SS Output
.TP
\fB\-J\fR, \fB\-\-output\fR \fIPATH\fR
Result document.
.TP
\fB\-\-force\fR
Replace [old] files: 'all'.
.SH EXAMPLES
.TP
.B ring_perf \-b 8
The smallest
.SH EXIT STATUS
0 ok; 2 usage
)");
}

TEST(ManPage, HasCommandsHoweverDeep) {
  const std::string text = man_page(sample_of_commands(), "0.1.0");
  for (const char* part :
       {".SH COMMAND \"GAUGE SCHEDULE\"\n", ".SH COMMAND \"GAUGE SCHEDULE SHOW\"\n",
        "\\fB\\-\\-format\\fR", "\\fBgauge compare\\fR [\\fIOPTION\\fR...] RESULT...\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
  }
}

TEST(ManPage, TakesNoTextForARequest) {
  Manual manual{.program = "p", .about = ".so /etc/passwd", .sections = {{"Why", "'quoted' a\\b"}}};
  const std::string text = man_page(manual, "1");
  EXPECT_NE(text.find("p \\- \\&.so /etc/passwd\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n\\&'quoted' a\\eb\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace railgauge::manual
