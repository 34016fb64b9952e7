#include "workload/traces/trace_input.hpp"

#include <cerrno>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace railgauge::workload::traces {

TraceInput::Buffer::Buffer(const std::string& path)
    : path_(path), file_(gzopen(path.c_str(), "rb"), gzclose) {
  if (!file_)
    throw std::runtime_error("cannot read " + path + ": " +
                             std::generic_category().message(errno != 0 ? errno : ENOMEM));
}

TraceInput::Buffer::int_type TraceInput::Buffer::underflow() {
  errno = 0;
  const int count = gzread(file_.get(), block_.data(), static_cast<unsigned>(block_.size()));
  int code = Z_OK;
  const char* const why = gzerror(file_.get(), &code);
  if (code == Z_ERRNO)
    throw std::runtime_error("cannot read " + path_ + ": " +
                             std::generic_category().message(errno));
  if (count < 0 || (code != Z_OK && code != Z_STREAM_END))
    throw std::invalid_argument(path_ + ": is cut or damaged: " + why);
  if (count == 0) return traits_type::eof();
  setg(block_.data(), block_.data(), block_.data() + count);
  return traits_type::to_int_type(*gptr());
}

TraceInput::TraceInput(const std::string& path) : buffer_(path), stream_(&buffer_) {
  stream_.exceptions(std::ios::badbit);
}

std::string TraceInput::rest() {
  return {std::istreambuf_iterator<char>(&buffer_), std::istreambuf_iterator<char>()};
}

}  // namespace railgauge::workload::traces
