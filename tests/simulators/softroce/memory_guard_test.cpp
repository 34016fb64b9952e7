#include "softroce/device/memory_guard.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace railgauge::softroce {
namespace {

/// A page that may not be touched.
class NoPage {
 public:
  NoPage() { guard_memory(); }
  ~NoPage() { munmap(page_, kBytes); }
  NoPage(const NoPage&) = delete;
  NoPage& operator=(const NoPage&) = delete;
  volatile char& operator*() const { return *static_cast<volatile char*>(page_); }

 private:
  static constexpr std::size_t kBytes = 4096;
  void* page_ = mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
};

constexpr int kByProgram = 33;

[[noreturn]] void leave(int) {
  _exit(kByProgram);
}
[[noreturn]] void leave_with_address(int, siginfo_t* info, void*) {
  _exit(info->si_addr != nullptr ? kByProgram : 1);
}

TEST(MemoryGuard, AFaultIsAnAnswer) {
  const NoPage page;
  int there = 0;
  EXPECT_TRUE(guarded([&] { there = 1; }));
  EXPECT_EQ(there, 1);
  for (int i = 0; i < 3; ++i) {  // the signal is not left blocked
    EXPECT_FALSE(guarded([&] { *page = 1; }));
    EXPECT_FALSE(guarded([&] { there = *page; }));
  }
  EXPECT_TRUE(guarded([&] { there = 2; }));
}

TEST(MemoryGuard, OneInsideAnotherEndsItself) {
  const NoPage page;
  bool inner = true;
  EXPECT_TRUE(guarded([&] { inner = guarded([&] { *page = 1; }); }));
  EXPECT_FALSE(inner);
}

TEST(MemoryGuard, BehindTheEndOfAFileToo) {  // SIGBUS
  guard_memory();
  const int file = memfd_create("short", 0);
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  EXPECT_FALSE(guarded([&] { *static_cast<volatile char*>(page) = 1; }));
  munmap(page, 4096);
  close(file);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitizer = true;
#else
constexpr bool kSanitizer = false;
#endif

/// What is said to the program's own actions.
class MemoryGuardDeathTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kSanitizer) GTEST_SKIP() << "a sanitizer takes these signals itself";
  }
};

TEST_F(MemoryGuardDeathTest, AFaultOfTheProgramsOwnEndsIt) {
  const NoPage page;
  EXPECT_EXIT(*page = 1, ::testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(MemoryGuardDeathTest, OrIsHandledByIt) {
  const NoPage page;
  EXPECT_EXIT(
      {
        struct sigaction action {};
        action.sa_handler = leave;
        program_action(SIGSEGV, &action, nullptr);
        *page = 1;
      },
      ::testing::ExitedWithCode(kByProgram), "");
  EXPECT_EXIT(
      {
        struct sigaction action {};
        action.sa_sigaction = leave_with_address;
        action.sa_flags = SA_SIGINFO | SA_RESETHAND;
        program_action(SIGSEGV, &action, nullptr);
        *page = 1;
      },
      ::testing::ExitedWithCode(kByProgram), "");
}

TEST_F(MemoryGuardDeathTest, ASignalThatSomebodySendsIsNoFault) {
  guard_memory();
  EXPECT_EXIT(static_cast<void>(guarded([] { raise(SIGSEGV); })),
              ::testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(
      {
        struct sigaction ignored {};
        ignored.sa_handler = SIG_IGN;
        program_action(SIGSEGV, &ignored, nullptr);
        raise(SIGSEGV);
        _exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST_F(MemoryGuardDeathTest, AProgramSeesTheActionThatItHasSet) {
  guard_memory();
  struct sigaction mine {};
  struct sigaction before {};
  struct sigaction seen {};
  mine.sa_handler = leave;
  EXPECT_EQ(program_action(SIGBUS, &mine, &before), 0);
  EXPECT_EQ(before.sa_handler, SIG_DFL);
  EXPECT_EQ(program_action(SIGBUS, &before, &seen), 0);
  EXPECT_EQ(seen.sa_handler, leave);
  EXPECT_EQ(program_action(SIGKILL, &mine, nullptr), -1);
}

}  // namespace
}  // namespace railgauge::softroce
