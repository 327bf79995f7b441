#include "cli/run_argument.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool cst_is_directory(const char *path, char *message, size_t message_size)
{
    struct stat about;
    const size_t length = strlen(path);
    if (stat(path, &about) != 0)
        snprintf(message, message_size, "%s: there is no such directory; give the one that capstan run made", path);
    else if (S_ISDIR(about.st_mode))
        return true;
    else if (length > 5 && strcmp(path + length - 5, ".json") == 0)
        snprintf(message, message_size,
                 "%s is a file, probably a scene; run it first (capstan run %s) and give the directory that makes", path, path);
    else
        snprintf(message, message_size, "%s is a file; give the directory that capstan run made", path);
    return false;
}
