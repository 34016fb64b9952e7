#include "verbs/error.hpp"

#include <string>
#include <system_error>

namespace railgauge::verbs {

void fail(int error, std::string_view call, std::string_view subject) {
  std::string what(call);
  if (!subject.empty()) what.append(" on ").append(subject);
  throw std::system_error(error, std::generic_category(), what);
}

void succeeded(int error, std::string_view call, std::string_view subject) {
  if (error != 0) fail(error, call, subject);
}

void answered(int result, std::string_view call, std::string_view subject) {
  if (result < 0) fail(errno, call, subject);
}

}  // namespace railgauge::verbs
