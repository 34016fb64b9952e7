// A libhiprtc.so.6 that compiles nothing: its code is the list of kernels in the text that it got.
// RAILGAUGE_FAKE_GPU=compiles=no: it finds an error.

#include <cstdlib>
#include <cstring>
#include <regex>
#include <string>

namespace {

struct Program {
  std::string text{};
  std::string code{};
  std::string log{};
};

constexpr int kSuccess = 0;
constexpr int kInvalidInput = 3;      // HIPRTC_ERROR_INVALID_INPUT
constexpr int kCompilationFails = 6;  // HIPRTC_ERROR_COMPILATION

Program& program_of(void* program) {
  return *static_cast<Program*>(program);
}

int get(const std::string& from, char* to) {
  std::memcpy(to, from.data(), from.size());
  return kSuccess;
}

std::string kernels_in(const std::string& text) {
  const std::regex kernels("\nKERNELS_OF\\(.*, (.*)\\)");
  std::string found = ".version 0\n";
  for (std::sregex_iterator one(text.begin(), text.end(), kernels), end; one != end; ++one) {
    for (const char* what : {"combine_", "fill_", "check_"})
      found += ".entry " + (what + (*one)[1].str()) + "(\n";
  }
  return found;
}

}  // namespace

extern "C" {

int hiprtcCreateProgram(void** program, const char* text, const char*, int headers,
                        const char* const*, const char* const*) {
  if (headers != 0) return kInvalidInput;
  *program = new Program{text};
  return kSuccess;
}

/// For the GPU that fake_gpu.cpp has, rounded as on the host, and without headers.
int hiprtcCompileProgram(void* program, int count, const char* const* options) {
  std::string all;
  for (int i = 0; i < count; ++i) all += std::string(options[i]) + " ";
  Program& own = program_of(program);
  const char* const habits = std::getenv("RAILGAUGE_FAKE_GPU");
  const bool refuses = habits != nullptr && std::strstr(habits, "compiles=no") != nullptr;
  if (refuses || own.text.find("\n#include") != std::string::npos ||
      all != "--offload-arch=gfx90a:sramecc+:xnack- -std=c++20 -ffp-contract=off ") {
    own.log = "kernels.cu:1:1: error: no such luck\n1 error generated.\n";
    return kCompilationFails;
  }
  own.code = kernels_in(own.text);
  return kSuccess;
}

int hiprtcGetCodeSize(void* program, std::size_t* bytes) {
  *bytes = program_of(program).code.size();
  return kSuccess;
}
int hiprtcGetCode(void* program, char* code) {
  return get(program_of(program).code, code);
}
int hiprtcGetProgramLogSize(void* program, std::size_t* bytes) {
  *bytes = program_of(program).log.size();
  return kSuccess;
}
int hiprtcGetProgramLog(void* program, char* log) {
  return get(program_of(program).log, log);
}

int hiprtcDestroyProgram(void** program) {
  delete static_cast<Program*>(*program);
  *program = nullptr;
  return kSuccess;
}

}  // extern "C"
