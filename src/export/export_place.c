#include "export/export_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export/export_manifest.h"
#include "write/directory.h"

static size_t trimmed(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return length;
}

/* Returns a temporary name: the path followed by the process id and the text `ending`. */
static char *beside(const char *path, const char *ending)
{
    const size_t length = trimmed(path), room = length + strlen(ending) + 32;
    char *name = malloc(room);
    if (name)
        snprintf(name, room, "%.*s.%ld%s", (int)length, path, (long)getpid(), ending);
    return name;
}

static bool is_dot(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Calls `visit` for each entry of a directory except "." and "..". Returns false if a call of `visit` returns false, or if
 * the directory cannot be read. */
static bool each_entry(const char *directory, bool (*visit)(const char *path))
{
    DIR *listing = opendir(directory);
    if (!listing)
        return false;
    bool ok = true;
    for (const struct dirent *entry = readdir(listing); entry && ok; entry = readdir(listing)) {
        if (is_dot(entry->d_name))
            continue;
        char *path = cst_path_join(directory, entry->d_name, "");
        ok = path && visit(path);
        free(path);
    }
    closedir(listing);
    return ok;
}

static bool remove_file(const char *path)
{
    return unlink(path) == 0;
}

static bool remove_directory(const char *path)
{
    return each_entry(path, remove_file) && rmdir(path) == 0;
}

/* An export replaces a directory only if export.json lists every other file in it, so that no file of another origin is lost. */
static bool may_replace(const char *directory, const cst_complaint *to)
{
    char strange[256];
    if (cst_export_manifest_covers(directory, strange, sizeof strange))
        return true;
    if (strange[0] == '\0')
        return cst_complain(
            to, "%s is no directory that an export has filled (it has no %s with a list of files) and is not replaced", directory,
            CST_EXPORT_MANIFEST);
    return cst_complain(to, "%s contains %s, which the export there has not written, and is not replaced", directory, strange);
}

static bool may_begin(const cst_export_place *place, const cst_complaint *to)
{
    struct stat about;
    if (lstat(place->path, &about) != 0)
        return errno == ENOENT || cst_complain(to, "%s: %s", place->path, strerror(errno));
    if (!place->replace)
        return cst_complain(to, "%s exists; --force replaces it, --out names another place", place->path);
    if (place->directory && !S_ISDIR(about.st_mode))
        return cst_complain(to, "%s is no directory and is not replaced", place->path);
    if (place->directory && !may_replace(place->path, to))
        return false;
    if (!place->directory && !S_ISREG(about.st_mode))
        return cst_complain(to, "%s is no file and is not replaced", place->path);
    return true;
}

bool cst_export_place_begin(cst_export_place *place, const char *path, bool directory, bool replace, const cst_complaint *to)
{
    *place = (cst_export_place){.path = strndup(path, trimmed(path)), .directory = directory, .replace = replace};
    if (!place->path)
        return cst_complain(to, "%s: not enough memory", path);
    if (!may_begin(place, to))
        return false;
    char *aside = beside(path, ".part");
    if (!aside)
        return cst_complain(to, "%s: not enough memory", path);
    const int made = directory ? mkdir(aside, 0777) : open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (made >= 0) {
        if (!directory)
            close(made);
        place->aside = aside;
        return true;
    }
    free(aside);
    return cst_complain(to, "%s: cannot be written: %s", path, strerror(errno));
}

static bool sync_file(const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const bool ok = file >= 0 && fsync(file) == 0;
    const int why = errno;
    if (file >= 0)
        close(file);
    errno = why;
    return ok;
}

/* A directory cannot be renamed to the name of a directory that has files. Before an export replaces a directory, the old
 * directory is renamed to a temporary name. If the new directory cannot be renamed to the target, the old directory gets its name
 * back. */
static bool swap_directory(const cst_export_place *place)
{
    char *old = beside(place->path, ".old");
    bool ok = old && rename(place->path, old) == 0;
    if (ok && rename(place->aside, place->path) != 0) {
        const int why = errno;
        rename(old, place->path);
        errno = why;
        ok = false;
    } else if (ok) {
        remove_directory(old);
    }
    free(old);
    return ok;
}

bool cst_export_place_commit(cst_export_place *place, const cst_complaint *to)
{
    struct stat about;
    bool ok = place->directory || sync_file(place->aside);
    if (ok && place->directory && place->replace && lstat(place->path, &about) == 0)
        ok = swap_directory(place);
    else if (ok)
        ok = rename(place->aside, place->path) == 0;
    if (!ok)
        return cst_complain(to, "%s: cannot be written: %s", place->path, strerror(errno));
    free(place->aside);
    place->aside = NULL;
    return true;
}

void cst_export_place_end(cst_export_place *place)
{
    if (place->aside && place->directory)
        remove_directory(place->aside);
    else if (place->aside)
        unlink(place->aside);
    free(place->aside);
    free(place->path);
    *place = (cst_export_place){0};
}
