#include "write/file_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/whole_file.h"

void cst_file_write_abandon(cst_file_write *file)
{
    if (file->to)
        fclose(file->to);
    free(file->text);
    free(file->path);
    *file = (cst_file_write){0};
}

/* Returns true if a file can be created in the directory of `path`; otherwise sets errno. */
static bool directory_writable(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return access(".", W_OK | X_OK) == 0;
    if (slash == path)
        return access("/", W_OK | X_OK) == 0;
    char *directory = strndup(path, (size_t)(slash - path));
    bool writable = directory && access(directory, W_OK | X_OK) == 0;
    free(directory);
    return writable;
}

bool cst_file_write_begin(cst_file_write *file, const char *path, char *message, size_t message_size)
{
    *file = (cst_file_write){0};
    if (directory_writable(path)) {
        file->path = strdup(path);
        if (file->path)
            file->to = open_memstream(&file->text, &file->bytes);
    }
    if (file->to)
        return true;
    snprintf(message, message_size, "%s: cannot be written: %s", path, strerror(errno));
    cst_file_write_abandon(file);
    return false;
}

bool cst_file_write_commit(cst_file_write *file, char *message, size_t message_size)
{
    bool gathered = !ferror(file->to);
    gathered = fclose(file->to) == 0 && gathered;
    file->to = NULL;
    cst_fault fault = cst_fault_begin(file->path, message, message_size);
    bool written;
    if (gathered) {
        cst_arena scratch;
        cst_arena_begin(&scratch, NULL);
        written = cst_whole_file_write(file->text, file->bytes, &scratch, &fault);
        cst_arena_end(&scratch);
    } else {
        written = cst_fault_memory(&fault);
    }
    cst_file_write_abandon(file);
    return written;
}
