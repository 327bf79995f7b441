#include "output/file_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void forget(cst_file_write *file)
{
    free(file->path);
    free(file->aside);
    *file = (cst_file_write){0};
}

bool cst_file_write_begin(cst_file_write *file, const char *path, char *message, size_t message_size)
{
    *file = (cst_file_write){0};
    size_t length = strlen(path) + 32;
    file->path = strdup(path);
    file->aside = malloc(length);
    if (!file->path || !file->aside) {
        snprintf(message, message_size, "%s: out of memory", path);
        forget(file);
        return false;
    }
    snprintf(file->aside, length, "%s.%ld.part", path, (long)getpid());
    /* Exclusive: two processes never share a part, and no link laid in its place is followed. */
    int descriptor = open(file->aside, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (descriptor >= 0 && !(file->to = fdopen(descriptor, "w"))) {
        close(descriptor);
        unlink(file->aside);
    }
    if (!file->to) {
        snprintf(message, message_size, "%s: cannot be written: %s", path, strerror(errno));
        forget(file);
        return false;
    }
    return true;
}

bool cst_file_write_commit(cst_file_write *file, char *message, size_t message_size)
{
    bool sound = fflush(file->to) == 0 && !ferror(file->to) && fsync(fileno(file->to)) == 0;
    int why = errno;
    if (fclose(file->to) != 0 && sound) {
        sound = false;
        why = errno;
    }
    if (sound && rename(file->aside, file->path) != 0) {
        sound = false;
        why = errno;
    }
    if (!sound) {
        snprintf(message, message_size, "%s: cannot be written: %s", file->path, strerror(why));
        unlink(file->aside);
    }
    forget(file);
    return sound;
}

void cst_file_write_abandon(cst_file_write *file)
{
    if (!file->to)
        return;
    fclose(file->to);
    unlink(file->aside);
    forget(file);
}
