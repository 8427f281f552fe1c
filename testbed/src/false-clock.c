/*
 * Adds the seconds in the file FALSE_CLOCK to the time of day and to nothing else: timers, monotonic time and the times of files stay
 * true. The file is mapped, so a write to it moves the clock of every process at once. To be loaded with LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const int64_t none;
static const volatile int64_t *shift = &none;
static int (*next_clock)(clockid_t, struct timespec *);
static int (*next_wait)(sem_t *, const struct timespec *);

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("FALSE_CLOCK");
  int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
  void *seen = file < 0 ? MAP_FAILED : mmap(NULL, sizeof none, PROT_READ, MAP_SHARED, file, 0);
  if (seen != MAP_FAILED) shift = seen;
  if (file >= 0) close(file);
  next_clock = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  next_wait = (int (*)(sem_t *, const struct timespec *))dlsym(RTLD_NEXT, "sem_timedwait");
}

int clock_gettime(clockid_t id, struct timespec *t) {
  int r = next_clock ? next_clock(id, t) : (int)syscall(SYS_clock_gettime, id, t);
  if (r == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) t->tv_sec += *shift;
  return r;
}

/* Not that of <sys/time.h>, whose declaration differs from one C library to the next. */
struct moment {
  time_t seconds;
  long micros;
};

int gettimeofday(struct moment *now, void *zone) {
  struct timespec t;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &t);
  now->seconds = t.tv_sec;
  now->micros = t.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *out) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  if (out) *out = t.tv_sec;
  return t.tv_sec;
}

int timespec_get(struct timespec *t, int base) {
  if (base != TIME_UTC) return 0;
  clock_gettime(CLOCK_REALTIME, t);
  return base;
}

/* The kernel compares the deadline with the true time. */
int sem_timedwait(sem_t *s, const struct timespec *until) {
  struct timespec t = *until;
  t.tv_sec -= *shift;
  return next_wait(s, &t);
}
