// Collectives of MPI, each of whose results is checked by each rank, in sizes of eager and of
// rendezvous messages.

#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

using Vector = std::vector<std::uint64_t>;

int rank = 0;
int size = 0;
int wrong = 0;

std::uint64_t value(int of, std::size_t i) {
  return static_cast<std::uint64_t>(of + 1) * (i + 7);
}

Vector values_of(int of, std::size_t count, std::size_t first = 0) {
  Vector values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = value(of, first + i);
  return values;
}

void expect(bool right, const char* what, int count) {
  if (right) return;
  ++wrong;
  std::printf("rank %d: %s of %d is wrong\n", rank, what, count);
}

void allreduce(int count) {
  const auto size_of = static_cast<std::size_t>(count);
  const Vector mine = values_of(rank, size_of);
  Vector got(size_of);
  MPI_Allreduce(mine.data(), got.data(), count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  Vector sum(size_of, 0);
  for (int of = 0; of < size; ++of) {
    for (std::size_t i = 0; i < size_of; ++i) sum[i] += value(of, i);
  }
  expect(got == sum, "allreduce", count);
}

void alltoall(int count) {
  const auto part = static_cast<std::size_t>(count);
  const auto parts = static_cast<std::size_t>(size);
  const Vector mine = values_of(rank, part * parts);
  Vector got(part * parts);
  MPI_Alltoall(mine.data(), count, MPI_UINT64_T, got.data(), count, MPI_UINT64_T, MPI_COMM_WORLD);
  Vector right;
  for (int of = 0; of < size; ++of) {
    const Vector piece = values_of(of, part, part * static_cast<std::size_t>(rank));
    right.insert(right.end(), piece.begin(), piece.end());
  }
  expect(got == right, "alltoall", count);
}

void broadcast(int count) {
  Vector data = values_of(rank, static_cast<std::size_t>(count));
  MPI_Bcast(data.data(), count, MPI_UINT64_T, size - 1, MPI_COMM_WORLD);
  expect(data == values_of(size - 1, static_cast<std::size_t>(count)), "broadcast", count);
}

}  // namespace

int main(int arguments, char** words) {
  MPI_Init(&arguments, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (const int count : {1, 100, 3000, 100000}) {
    for (int repetition = 0; repetition < 5; ++repetition) {
      allreduce(count);
      alltoall(count);
      broadcast(count);
    }
  }
  int all_wrong = 0;
  MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%d ranks, %d wrong\n", size, all_wrong);
  MPI_Finalize();
  return all_wrong == 0 ? 0 : 1;
}
