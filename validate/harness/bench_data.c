#include "harness/bench_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cst_bench_data_find(const char *name, char *path, size_t size)
{
    const char *said = getenv("CAPSTAN_BENCH_DATA");
    if (said && *said) {
        snprintf(path, size, "%s/%s", said, name);
        return access(path, R_OK) == 0;
    }
    char own[1024];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0)
        return false;
    own[length] = '\0';
    char *slash = strrchr(own, '/');
    if (slash)
        *slash = '\0';
    static const char *const places[] = {"/../validate", "/../../validate", "/../share/capstan/validate"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, size, "%s%s/%s", own, places[i], name);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}
