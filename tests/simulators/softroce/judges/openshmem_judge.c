/* OpenSHMEM: puts to a neighbour, gets from all, atomics on one; every result is
 * checked. Prints one line, "pe I of N: K wrong". */

#include <shmem.h>
#include <stdio.h>

enum { count = 20000 };

static long from[count], to[count], got[count], counter;

static long value(int pe, int i) {
  return pe * 1000003L + i * 7L;
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  const int before = (me + pes - 1) % pes;
  int wrong = 0;
  for (int i = 0; i < count; ++i) from[i] = value(me, i);
  shmem_barrier_all();
  shmem_long_put(to, from, count, (me + 1) % pes);
  shmem_barrier_all();
  for (int i = 0; i < count; ++i) wrong += to[i] != value(before, i);
  for (int pe = 0; pe < pes; ++pe) {
    shmem_long_get(got, from, count, pe);
    for (int i = 0; i < count; ++i) wrong += got[i] != value(pe, i);
  }
  for (int i = 0; i < 100; ++i) shmem_long_atomic_inc(&counter, 0);
  shmem_barrier_all();
  wrong += shmem_long_g(&counter, 0) != 100L * pes;
  printf("pe %d of %d: %d wrong\n", me, pes, wrong);
  fflush(stdout);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
