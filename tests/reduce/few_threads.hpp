#pragma once

namespace railgauge::reduce {

/// While one of these lives, the process can start no more than `count` threads.
class FewThreads {
 public:
  explicit FewThreads(int count);
  ~FewThreads();
  FewThreads(const FewThreads&) = delete;
  FewThreads& operator=(const FewThreads&) = delete;
};

}  // namespace railgauge::reduce
