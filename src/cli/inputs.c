#include "cli/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const endings[] = {".hdf5", ".h5", ".dat"};

static const char *problem_ending(const char *name)
{
    size_t length = strlen(name);
    for (int i = 0; i < 3; i++) {
        size_t own = strlen(endings[i]);
        if (length > own && strcmp(name + length - own, endings[i]) == 0)
            return name + length - own;
    }
    return NULL;
}

/* Adds a file to the list. The list then owns the path; if memory runs out, the path is freed. */
static bool add(cst_inputs *inputs, char *path)
{
    if (path && inputs->count == inputs->room) {
        int room = inputs->room ? 2 * inputs->room : 16;
        cst_input *grown = realloc(inputs->file, (size_t)room * sizeof *grown);
        if (grown) {
            inputs->file = grown;
            inputs->room = room;
        }
    }
    const char *slash = path ? strrchr(path, '/') : NULL;
    char *name = path && inputs->count < inputs->room ? strdup(slash ? slash + 1 : path) : NULL;
    if (!name) {
        free(path);
        return false;
    }
    for (const char *ending; (ending = problem_ending(name));) /* published files are also named x.hdf5.dat */
        name[ending - name] = '\0';
    inputs->file[inputs->count++] = (cst_input){path, name};
    return true;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const cst_input *)a)->path, ((const cst_input *)b)->path);
}

static bool add_directory(cst_inputs *inputs, const char *path, char *message, size_t message_size)
{
    DIR *directory = opendir(path);
    if (!directory) {
        snprintf(message, message_size, "%s: cannot be listed: %s", path, strerror(errno));
        return false;
    }
    int first = inputs->count;
    bool enough = true;
    for (struct dirent *entry; enough && (entry = readdir(directory));) {
        if (entry->d_name[0] != '.' && problem_ending(entry->d_name))
            enough = add(inputs, cst_path_join(path, entry->d_name, ""));
    }
    closedir(directory);
    if (!enough)
        snprintf(message, message_size, "out of memory");
    else if (inputs->count == first)
        snprintf(message, message_size, "%s: no problem files (*.hdf5, *.h5, *.dat) in this directory", path);
    else
        qsort(inputs->file + first, (size_t)(inputs->count - first), sizeof *inputs->file, by_path);
    return enough && inputs->count > first;
}

bool cst_inputs_gather(cst_inputs *inputs, int count, char *const *argument, char *message, size_t message_size)
{
    *inputs = (cst_inputs){0};
    for (int i = 0; i < count; i++) {
        struct stat kind;
        if (stat(argument[i], &kind) == 0 && S_ISDIR(kind.st_mode)) {
            if (!add_directory(inputs, argument[i], message, message_size))
                return false;
        } else if (!add(inputs, strdup(argument[i]))) {
            snprintf(message, message_size, "out of memory");
            return false;
        }
    }
    return true;
}

void cst_inputs_free(cst_inputs *inputs)
{
    for (int i = 0; i < inputs->count; i++) {
        free(inputs->file[i].path);
        free(inputs->file[i].name);
    }
    free(inputs->file);
    *inputs = (cst_inputs){0};
}
