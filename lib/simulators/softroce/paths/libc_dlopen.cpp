// dlopen() of libibverbs, by whatever name or path, gives this library; the loader knows it by
// libibverbs' name already, so what is linked with libibverbs needs nothing. And dlopen() of
// anything else is libc's, called so that it takes the program for its caller: it looks where the
// caller was told to look (DT_RUNPATH), and loads into the caller's namespace. Hence a jump, which
// no compiler option can turn into a call.

#include <string_view>

#include "softroce/paths/libc.hpp"

using namespace railgauge::softroce::paths;

namespace {

constexpr std::string_view kName = "libibverbs.so";
/// What this library calls itself (DT_SONAME), as the machine's own does.
constexpr const char* kSoname = "libibverbs.so.1";

/// libibverbs.so, libibverbs.so.1, libibverbs.so.1.14.44.0, in any folder.
bool is_libibverbs(const char* file) {
  if (file == nullptr) return false;
  std::string_view name = file;
  name.remove_prefix(name.rfind('/') + 1);
  return name.starts_with(kName) && (name.size() == kName.size() || name[kName.size()] == '.');
}

/// Comes back in two registers.
struct Jump {
  void* to;
  const char* file;
};

}  // namespace

extern "C" __attribute__((visibility("hidden"), used)) Jump softroce_choose_dlopen(
    const char* file) {
  static constinit Next<void*(const char*, int)> real("dlopen");
  return {reinterpret_cast<void*>(real.find()), is_libibverbs(file) ? kSoname : file};
}

#if defined(__x86_64__)
__asm__(R"(
  .text
  .globl dlopen
  .type dlopen, @function
dlopen:
  .cfi_startproc
  endbr64
  pushq %rsi
  .cfi_adjust_cfa_offset 8
  callq softroce_choose_dlopen
  popq %rsi
  .cfi_adjust_cfa_offset -8
  movq %rdx, %rdi
  jmpq *%rax
  .cfi_endproc
  .size dlopen, . - dlopen
)");
#elif defined(__aarch64__)
__asm__(R"(
  .text
  .globl dlopen
  .type dlopen, %function
dlopen:
  .cfi_startproc
  hint 34
  stp x1, x30, [sp, -16]!
  .cfi_adjust_cfa_offset 16
  .cfi_rel_offset 30, 8
  bl softroce_choose_dlopen
  mov x16, x0
  mov x0, x1
  ldp x1, x30, [sp], 16
  .cfi_adjust_cfa_offset -16
  .cfi_restore 30
  br x16
  .cfi_endproc
  .size dlopen, . - dlopen
)");
#else
#error "dlopen() that keeps its caller's return address has to be written for this processor"
#endif
