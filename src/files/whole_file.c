#include "files/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 100, SUFFIX_LENGTH = 48 };

bool cst_write_at(int descriptor, const void *bytes, size_t count, int64_t offset)
{
    const char *from = bytes;
    while (count > 0) {
        ssize_t put = pwrite(descriptor, from, count, (off_t)offset);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        from += put;
        count -= (size_t)put;
        offset += put;
    }
    return true;
}

/* Creates a file with an unused name, by open() with the flag O_EXCL. The function mkstemp would create a file that only its
 * owner may read, even if the umask allows other readers. */
static int open_temporary(char *name, const char *path)
{
    size_t room = strlen(path) + SUFFIX_LENGTH;
    int descriptor = -1;
    for (int attempt = 0; attempt < ATTEMPTS && descriptor < 0; attempt++) {
        snprintf(name, room, "%s.%ld-%d.part", path, (long)getpid(), attempt);
        descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            return -1;
    }
    return descriptor;
}

/* The rename is on disk only after the directory is synced. Some file systems cannot sync a directory; this is not an error. */
static void sync_directory(char *name)
{
    char *slash = strrchr(name, '/');
    if (slash)
        slash[slash == name ? 1 : 0] = '\0';
    int descriptor = open(slash ? name : ".", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    fsync(descriptor);
    close(descriptor);
}

bool cst_whole_file_write(const void *bytes, size_t count, cst_arena *scratch, cst_fault *fault)
{
    char *name = CST_TAKE(scratch, char, strlen(fault->path) + SUFFIX_LENGTH);
    if (!name)
        return cst_fault_memory(fault);
    int descriptor = open_temporary(name, fault->path);
    if (descriptor < 0)
        return cst_fault_set(fault, "cannot be created: %s", strerror(errno));
    bool ok = cst_write_at(descriptor, bytes, count, 0) && fsync(descriptor) == 0;
    int why = errno;
    if (close(descriptor) != 0 && ok) {
        ok = false;
        why = errno;
    }
    if (ok && rename(name, fault->path) != 0) {
        ok = false;
        why = errno;
    }
    if (!ok) {
        unlink(name);
        return cst_fault_set(fault, "cannot be written: %s", strerror(why));
    }
    sync_directory(name);
    return true;
}

bool cst_read_at(int descriptor, char *out, int64_t bytes, int64_t offset, cst_fault *fault)
{
    while (bytes > 0) {
        ssize_t got = pread(descriptor, out, (size_t)bytes, offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cst_fault_set(fault, "cannot be read: %s", strerror(errno));
        if (got == 0)
            return cst_fault_set(fault, "became shorter while it was read");
        out += got;
        bytes -= got;
        offset += got;
    }
    return true;
}

static bool read_open(int descriptor, int64_t most, cst_arena *arena, char **bytes, size_t *count, cst_fault *fault)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return cst_fault_set(fault, "cannot be examined: %s", strerror(errno));
    if (!S_ISREG(status.st_mode))
        return cst_fault_set(fault, "is not a regular file");
    if (status.st_size > most)
        return cst_fault_set(fault, "has %lld bytes; at most %lld are read", (long long)status.st_size, (long long)most);
    *count = (size_t)status.st_size;
    *bytes = CST_TAKE_RAW(arena, char, *count + 1);
    if (!*bytes)
        return cst_fault_memory(fault);
    (*bytes)[*count] = '\0';
    return cst_read_at(descriptor, *bytes, status.st_size, 0, fault);
}

bool cst_whole_file_read(int64_t most, cst_arena *arena, char **bytes, size_t *count, cst_fault *fault)
{
    /* O_NONBLOCK is needed because opening a pipe without a writer must not block */
    const int descriptor = open(fault->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return cst_fault_set(fault, "cannot be opened: %s", strerror(errno));
    const bool ok = read_open(descriptor, most, arena, bytes, count, fault);
    close(descriptor);
    return ok;
}
