#include "exchange/problem_file.h"

#include "exchange/fclib.h"
#include "exchange/siconos_text.h"
#include "files/fault.h"
#include "files/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Size in bytes of the largest text file that is read into memory. */
static const int64_t TEXT_MAX_BYTES = (int64_t)1 << 31;

static const unsigned char HDF5_SIGNATURE[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

const char *cst_file_format_name(cst_file_format format)
{
    switch (format) {
    case CST_FILE_FCLIB_LOCAL:
        return "fclib local";
    case CST_FILE_FCLIB_GLOBAL:
        return "fclib global";
    case CST_FILE_SICONOS_LOCAL:
        return "siconos local";
    case CST_FILE_SICONOS_GLOBAL:
        return "siconos global";
    }
    return "unknown";
}

static cst_problem_file *new_file(const char *path, const cst_allocator *allocator, cst_fault *fault)
{
    cst_problem_file *file = CST_TAKE_WITH_ARENA(cst_problem_file, allocator);
    char *name = file ? CST_TAKE(&file->arena, char, strlen(path) + 1) : NULL;
    if (!name) {
        cst_problem_file_free(file);
        cst_fault_record_memory(fault);
        return NULL;
    }
    memcpy(name, path, strlen(path) + 1);
    file->path = name;
    return file;
}

void cst_problem_file_free(cst_problem_file *file)
{
    if (file)
        cst_arena_end_from_within(&file->arena);
}

static cst_problem_file *finish(cst_problem_file *file, bool ok)
{
    if (ok)
        return file;
    cst_problem_file_free(file);
    return NULL;
}

/* --------------------------------------------------------------------------------------------------- which format */

/* Returns the next byte offset at which the HDF5 signature may be. The signature is at the byte 0, 512, 1024, 2048, ...,
 * because HDF5 allows a user block before it. */
static int64_t next_signature_offset(int64_t offset)
{
    return offset == 0 ? 512 : 2 * offset;
}

static bool read_text(cst_problem_file *file, const char *text, size_t bytes, cst_fault *fault)
{
    static const char pointer[] = "version https://git-lfs";
    if (bytes >= sizeof pointer - 1 && memcmp(text, pointer, sizeof pointer - 1) == 0)
        return cst_fault_set(fault, "is a pointer of Git LFS, not the data: fetch it with git lfs pull");
    return cst_siconos_text_read(file, text, bytes, fault);
}

cst_problem_file *cst_problem_file_read_image(const char *name, const void *image, size_t bytes, const cst_allocator *allocator,
                                              char *message, size_t message_size)
{
    cst_fault fault = cst_fault_begin(name, message, message_size);
    cst_problem_file *file = new_file(name, allocator, &fault);
    if (!file)
        return NULL;
    for (int64_t offset = 0; offset + 8 <= (int64_t)bytes; offset = next_signature_offset(offset))
        if (memcmp((const char *)image + offset, HDF5_SIGNATURE, 8) == 0)
            return finish(file, cst_fclib_read_image(file, image, bytes, &fault));
    return finish(file, read_text(file, image, bytes, &fault));
}

/* ------------------------------------------------------------------------------------------------------- from disk */

static bool find_signature(int descriptor, int64_t bytes, bool *found, cst_fault *fault)
{
    char start[8];
    *found = false;
    for (int64_t offset = 0; !*found && offset + 8 <= bytes; offset = next_signature_offset(offset)) {
        if (!cst_read_at(descriptor, start, 8, offset, fault))
            return false;
        *found = memcmp(start, HDF5_SIGNATURE, 8) == 0;
    }
    return true;
}

static bool read_open(cst_problem_file *file, int descriptor, cst_fault *fault)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return cst_fault_set(fault, "cannot be examined: %s", strerror(errno));
    if (!S_ISREG(status.st_mode))
        return cst_fault_set(fault, "is not a regular file");
    int64_t bytes = status.st_size;
    bool hdf5;
    if (!find_signature(descriptor, bytes, &hdf5, fault))
        return false;
    if (hdf5)
        return cst_fclib_read(file, (uint64_t)bytes, fault);
    if (bytes > TEXT_MAX_BYTES)
        return cst_fault_set(fault, "is no HDF5 file, and with %lld bytes too long for a text file", (long long)bytes);
    cst_arena scratch;
    cst_arena_begin(&scratch, &file->arena.allocator);
    char *text = CST_TAKE(&scratch, char, bytes);
    bool ok = text ? cst_read_at(descriptor, text, bytes, 0, fault) && read_text(file, text, (size_t)bytes, fault)
                   : cst_fault_memory(fault);
    cst_arena_end(&scratch);
    return ok;
}

cst_problem_file *cst_problem_file_read(const char *path, const cst_allocator *allocator, char *message, size_t message_size)
{
    cst_fault fault = cst_fault_begin(path, message, message_size);
    cst_problem_file *file = new_file(path, allocator, &fault);
    if (!file)
        return NULL;
    /* O_NONBLOCK: opening a pipe without a writer must not block */
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        cst_fault_record(&fault, "cannot be opened: %s", strerror(errno));
        return finish(file, false);
    }
    bool ok = read_open(file, descriptor, &fault);
    close(descriptor);
    return finish(file, ok);
}
