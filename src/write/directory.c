#include "write/directory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *cst_path_join(const char *directory, const char *name, const char *ending)
{
    size_t size = strlen(directory) + strlen(name) + strlen(ending) + 2;
    char *path = malloc(size);
    if (path) {
        bool slash = *directory && directory[strlen(directory) - 1] == '/';
        snprintf(path, size, "%s%s%s%s", directory, slash ? "" : "/", name, ending);
    }
    return path;
}

bool cst_directory_make(const char *path, char *message, size_t message_size)
{
    char *part = strdup(path);
    bool made = part != NULL;
    for (char *at = part; made && *at;) {
        at += strspn(at, "/");
        at += strcspn(at, "/");
        char cut = *at;
        *at = '\0';
        if (*part)
            made = mkdir(part, 0777) == 0 || errno == EEXIST;
        *at = cut;
    }
    free(part);
    struct stat kind;
    if (made && stat(path, &kind) == 0 && !S_ISDIR(kind.st_mode)) {
        errno = ENOTDIR;
        made = false;
    }
    if (made && access(path, W_OK | X_OK) == 0)
        return true;
    snprintf(message, message_size, "%s: cannot be written to: %s", path, strerror(errno));
    return false;
}
