#include "run/probe_sums.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "files/whole_file.h"
#include "write/directory.h"
#include "write/file_write.h"

enum { BLOCK = 1 << 16, SUM_LINE = 17, SUMS_MAX = 1 << 24 };

/* -------------------------------------------------------------------------------------------------------------- writing */

bool cst_probe_sums_write(const char *directory, const char *const *name, const cst_probe_mark *mark, int count, char *message,
                          size_t message_size)
{
    char *path = cst_path_join(directory, CST_PROBE_SUMS_NAME, "");
    cst_file_write file;
    if (!path) {
        snprintf(message, message_size, "%s: not enough memory", directory);
        return false;
    }
    bool ok = cst_file_write_begin(&file, path, message, message_size);
    if (ok) {
        for (int i = 0; i < count; i++)
            fprintf(file.to, "%016" PRIx64 " %" PRId64 " %s\n", mark[i].sum, mark[i].bytes, name[i]);
        bool gathered = fflush(file.to) == 0;
        fprintf(file.to, "%016" PRIx64 "\n", gathered ? cst_checksum(0, file.text, file.bytes) : 0);
        ok = cst_file_write_commit(&file, message, message_size);
    }
    free(path);
    return ok;
}

/* ------------------------------------------------------------------------------------------------------------- removal */

bool cst_probe_sums_remove(const char *directory, char *message, size_t message_size)
{
    char *sums = cst_path_join(directory, CST_PROBE_SUMS_NAME, "");
    if (!sums) {
        snprintf(message, message_size, "%s: not enough memory", directory);
        return false;
    }
    cst_arena scratch;
    cst_arena_begin(&scratch, NULL);
    cst_fault fault = cst_fault_begin(sums, message, message_size);
    char *text = NULL;
    size_t size;
    bool ok = access(sums, F_OK) != 0 || cst_whole_file_read(SUMS_MAX, &scratch, &text, &size, &fault);
    for (char *line = text, *next; ok && line && *line; line = next) {
        char name[256];
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        if (sscanf(line, "%*16x %*d %255[^/\n]", name) != 1)
            continue;
        char *file = cst_path_join(directory, name, "");
        ok = file || cst_fault_memory(&fault);
        if (file)
            unlink(file);
        free(file);
    }
    if (ok)
        unlink(sums);
    cst_arena_end(&scratch);
    free(sums);
    return ok;
}

/* ------------------------------------------------------------------------------------------------------------- checking */

static bool refuse(const char *path, const char *why, char *message, size_t message_size)
{
    snprintf(message, message_size, "%s: %s", path, why);
    return false;
}

bool cst_probe_mark_check(const char *path, int descriptor, const cst_probe_mark *mark, char *message, size_t message_size)
{
    struct stat about;
    if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode))
        return refuse(path, "is not a regular file", message, message_size);
    if (about.st_size < mark->bytes) {
        snprintf(message, message_size, "%s: is damaged: it has %lld bytes, %lld were written", path, (long long)about.st_size,
                 (long long)mark->bytes);
        return false;
    }
    uint8_t *block = malloc(BLOCK);
    if (!block)
        return refuse(path, "not enough memory", message, message_size);
    uint64_t sum = 0;
    int64_t at = 0;
    bool ok = true;
    cst_fault fault = cst_fault_begin(path, message, message_size);
    while (ok && at < mark->bytes) {
        int64_t piece = mark->bytes - at < BLOCK ? mark->bytes - at : BLOCK;
        ok = cst_read_at(descriptor, (char *)block, piece, at, &fault);
        sum = ok ? cst_checksum(sum, block, (size_t)piece) : sum;
        at += piece;
    }
    free(block);
    if (ok && sum != mark->sum) {
        snprintf(message, message_size, "%s: is damaged, or was changed: its first %lld bytes do not match their checksum", path,
                 (long long)mark->bytes);
        return false;
    }
    return ok;
}

/* Finds the line for a given probe file in the text of checksums.txt. Returns false if there is none. */
static bool find_mark(const char *text, const char *name, cst_probe_mark *mark)
{
    for (const char *line = text; *line;) {
        int before = 0;
        size_t length = strcspn(line, "\n");
        if (sscanf(line, "%16" SCNx64 " %" SCNd64 " %n", &mark->sum, &mark->bytes, &before) == 2 && before > 0 &&
            length - (size_t)before == strlen(name) && strncmp(line + before, name, strlen(name)) == 0)
            return true;
        line += length + (line[length] == '\n');
    }
    return false;
}

/* Removes the last line of the text of checksums.txt, which holds the checksum of the other lines. Returns false if the checksum
 * in the last line of checksums.txt does not match the other lines. */
static bool cut_last(char *text, size_t size)
{
    uint64_t sum;
    if (size < SUM_LINE || sscanf(text + size - SUM_LINE, "%16" SCNx64, &sum) != 1)
        return false;
    bool whole = cst_checksum(0, text, size - SUM_LINE) == sum;
    text[size - SUM_LINE] = '\0';
    return whole;
}

static bool verify_against(const char *sums, const char *path, int64_t *bytes, char *message, size_t message_size)
{
    cst_arena scratch;
    cst_arena_begin(&scratch, NULL);
    cst_fault fault = cst_fault_begin(sums, message, message_size);
    const char *slash = strrchr(path, '/');
    char *text = NULL;
    size_t size;
    cst_probe_mark mark;
    bool ok = cst_whole_file_read(SUMS_MAX, &scratch, &text, &size, &fault);
    if (ok && !cut_last(text, size))
        ok = cst_fault_set(&fault, "is damaged: its own checksum is wrong");
    if (ok && find_mark(text, slash ? slash + 1 : path, &mark)) {
        int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        ok = descriptor >= 0 ? cst_probe_mark_check(path, descriptor, &mark, message, message_size)
                             : refuse(path, strerror(errno), message, message_size);
        if (descriptor >= 0)
            close(descriptor);
        *bytes = mark.bytes;
    }
    cst_arena_end(&scratch);
    return ok;
}

bool cst_probe_file_verify(const char *path, int64_t *bytes, char *message, size_t message_size)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("");
    size_t room = folder ? strlen(folder) + sizeof CST_PROBE_SUMS_NAME : 0;
    char *sums = folder ? malloc(room) : NULL;
    *bytes = -1;
    bool ok = sums != NULL;
    if (ok) {
        snprintf(sums, room, "%s%s", folder, CST_PROBE_SUMS_NAME);
        ok = access(sums, F_OK) != 0 || verify_against(sums, path, bytes, message, message_size);
    } else {
        refuse(path, "not enough memory", message, message_size);
    }
    free(sums);
    free(folder);
    return ok;
}
