/* Stands between the program and the disk: fails the k-th call below FAULT_ROOT, or cuts the power there.
 * At a cut everything is taken back that no flush had made durable: bytes, lengths, new names, renames, removals. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* As `control.ts` writes it. */
struct control { int armed, kind, mask, at, seen, sticky, fired; };
enum { EIO_ONCE = 1, NO_SPACE = 2, SHORT = 3, CUT = 4 };
enum { WRITE = 1, SYNC = 2, RENAME = 4, TRUNCATE = 8, UNLINK = 16 };

struct undo { struct undo *before; int what; ino_t inode; char path[PATH_MAX], other[PATH_MAX]; off_t at, size; size_t length; char *bytes; };
enum { BYTES, CREATED, RENAMED, REMOVED };

static struct control *control;
static const char *root, *side;
static struct undo *last;
static int saved;
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

#define REAL(name) ({ static __typeof__(&name) found; if (!found) found = dlsym(RTLD_NEXT, #name); found; })

__attribute__((constructor)) static void begin(void) {
  root = getenv("FAULT_ROOT");
  side = getenv("FAULT_SIDE");
  const char *path = getenv("FAULT_CONTROL");
  int fd = path ? REAL(open)(path, O_RDWR) : -1;
  if (fd < 0) return;
  void *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map != MAP_FAILED) control = map;
}

static int inside(const char *path) {
  return control && root && strncmp(path, root, strlen(root)) == 0 && !strstr(path, "-shm") && !strstr(path, "lock.sqlite");
}

static int path_of(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return inside(path);
}

static void folder_of(const char *path, char *folder) {
  strcpy(folder, path);
  char *slash = strrchr(folder, '/');
  if (slash) *slash = 0;
}

static struct undo *note(int what, const char *path) {
  struct undo *one = calloc(1, sizeof *one);
  one->what = what;
  one->before = last;
  strncpy(one->path, path, PATH_MAX - 1);
  return last = one;
}

static void take_back(struct undo *one) {
  if (one->what == CREATED) REAL(unlink)(one->path);
  if (one->what == RENAMED) REAL(rename)(one->other, one->path);
  if (one->what == REMOVED) REAL(rename)(one->other, one->path);
  if (one->what != BYTES) return;
  int fd = REAL(open)(one->path, O_WRONLY);
  if (fd < 0) return;
  if (one->length) (void)!REAL(pwrite)(fd, one->bytes, one->length, one->at);
  (void)!REAL(ftruncate)(fd, one->size);
  close(fd);
}

static void cut(void) {
  for (struct undo *one = last; one; one = one->before) take_back(one);
  _exit(137);
}

/* Whether this call is the one that fails. A cut does not return. */
static int fails(int mask) {
  if (!control || !control->armed || !(control->mask & mask)) return 0;
  control->seen++;
  int now = control->seen == control->at || (control->sticky && control->seen > control->at);
  if (!now) return 0;
  control->fired++;
  if (control->kind == CUT) cut();
  return control->kind;
}

static int error_of(int kind) { errno = kind == NO_SPACE ? ENOSPC : EIO; return -1; }

static void remember_bytes(int fd, const char *path, off_t at, size_t length) {
  struct stat now;
  if (!side || fstat(fd, &now) < 0) return;
  struct undo *one = note(BYTES, path);
  one->inode = now.st_ino;
  one->size = now.st_size;
  one->at = at;
  if (at >= now.st_size) return;
  one->length = at + (off_t)length > now.st_size ? (size_t)(now.st_size - at) : length;
  one->bytes = malloc(one->length);
  int again = REAL(open)(path, O_RDONLY);
  (void)!pread(again, one->bytes, one->length, at);
  close(again);
}

/* A flush of a file keeps its bytes; a flush of a folder keeps its names. */
static void keep(int fd, const char *path) {
  struct stat now;
  if (fstat(fd, &now) < 0) return;
  for (struct undo **at = &last; *at;) {
    struct undo *one = *at;
    char folder[PATH_MAX];
    folder_of(one->path, folder);
    int kept = one->what == BYTES ? one->inode == now.st_ino : S_ISDIR(now.st_mode) && strcmp(folder, path) == 0;
    if (kept) { *at = one->before; free(one->bytes); free(one); } else at = &one->before;
  }
}

static off_t place_of(int fd) {
  if (fcntl(fd, F_GETFL) & O_APPEND) { struct stat now; fstat(fd, &now); return now.st_size; }
  return lseek(fd, 0, SEEK_CUR);
}

static ssize_t whole(const struct iovec *parts, int count) {
  ssize_t sum = 0;
  for (int n = 0; n < count; n++) sum += parts[n].iov_len;
  return sum;
}

/* One place for every kind of write: `at` is -1 for the place where the file stands. */
static ssize_t put(int fd, const struct iovec *parts, int count, off_t at, int *kind) {
  char path[PATH_MAX];
  *kind = 0;
  if (!control || !path_of(fd, path)) return -2;
  pthread_mutex_lock(&lock);
  remember_bytes(fd, path, at < 0 ? place_of(fd) : at, whole(parts, count));
  *kind = fails(WRITE);
  ssize_t done = -2;
  if (*kind == SHORT && whole(parts, count) > 1) {
    size_t half = parts[0].iov_len > 1 ? parts[0].iov_len / 2 : parts[0].iov_len;
    done = at < 0 ? REAL(write)(fd, parts[0].iov_base, half) : REAL(pwrite)(fd, parts[0].iov_base, half, at);
  } else if (*kind && *kind != SHORT) done = error_of(*kind);
  pthread_mutex_unlock(&lock);
  return done;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  struct iovec part = { (void *)bytes, length };
  int kind;
  ssize_t done = put(fd, &part, 1, -1, &kind);
  return done == -2 ? REAL(write)(fd, bytes, length) : done;
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
  struct iovec part = { (void *)bytes, length };
  int kind;
  ssize_t done = put(fd, &part, 1, at, &kind);
  return done == -2 ? REAL(pwrite)(fd, bytes, length, at) : done;
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) { return pwrite(fd, bytes, length, at); }
ssize_t writev(int fd, const struct iovec *parts, int count) {
  int kind;
  ssize_t done = put(fd, parts, count, -1, &kind);
  return done == -2 ? REAL(writev)(fd, parts, count) : done;
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
  int kind;
  ssize_t done = put(fd, parts, count, at, &kind);
  return done == -2 ? REAL(pwritev)(fd, parts, count, at) : done;
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) { return pwritev(fd, parts, count, at); }

static int flush(int fd, int (*real)(int)) {
  char path[PATH_MAX];
  if (!control || !path_of(fd, path)) return real(fd);
  pthread_mutex_lock(&lock);
  int kind = fails(SYNC);
  int done = kind ? error_of(kind) : real(fd);
  if (done == 0) keep(fd, path);
  pthread_mutex_unlock(&lock);
  return done;
}
int fsync(int fd) { return flush(fd, REAL(fsync)); }
int fdatasync(int fd) { return flush(fd, REAL(fdatasync)); }

int ftruncate(int fd, off_t size) {
  char path[PATH_MAX];
  if (!control || !path_of(fd, path)) return REAL(ftruncate)(fd, size);
  pthread_mutex_lock(&lock);
  struct stat now;
  if (fstat(fd, &now) == 0 && size < now.st_size) remember_bytes(fd, path, size, now.st_size - size);
  else remember_bytes(fd, path, now.st_size, 0);
  int kind = fails(TRUNCATE);
  int done = kind ? error_of(kind) : REAL(ftruncate)(fd, size);
  pthread_mutex_unlock(&lock);
  return done;
}
int ftruncate64(int fd, off64_t size) { return ftruncate(fd, size); }

static void set_aside(const char *path) {
  if (!side || access(path, F_OK) != 0) return;
  struct undo *one = note(REMOVED, path);
  snprintf(one->other, PATH_MAX, "%s/%d", side, saved++);
  (void)!link(path, one->other);
}

int rename(const char *from, const char *to) {
  if (!control || !inside(to)) return REAL(rename)(from, to);
  pthread_mutex_lock(&lock);
  int kind = fails(RENAME);
  if (!kind) set_aside(to);
  int done = kind ? error_of(kind) : REAL(rename)(from, to);
  if (done == 0 && side) { struct undo *one = note(RENAMED, from); strncpy(one->other, to, PATH_MAX - 1); }
  pthread_mutex_unlock(&lock);
  return done;
}

int unlink(const char *path) {
  if (!control || !inside(path)) return REAL(unlink)(path);
  pthread_mutex_lock(&lock);
  int kind = fails(UNLINK);
  if (!kind) set_aside(path);
  int done = kind ? error_of(kind) : REAL(unlink)(path);
  pthread_mutex_unlock(&lock);
  return done;
}

static void made(const char *path, int flags, int was) {
  char real[PATH_MAX];
  if ((flags & O_CREAT) && !was && side && realpath(path, real) && inside(real)) note(CREATED, real);
}
int open(const char *path, int flags, ...) {
  va_list more; va_start(more, flags); mode_t mode = va_arg(more, int); va_end(more);
  int was = access(path, F_OK) == 0;
  int fd = REAL(open)(path, flags, mode);
  if (control && fd >= 0) { pthread_mutex_lock(&lock); made(path, flags, was); pthread_mutex_unlock(&lock); }
  return fd;
}
int open64(const char *path, int flags, ...) {
  va_list more; va_start(more, flags); mode_t mode = va_arg(more, int); va_end(more);
  return open(path, flags, mode);
}
