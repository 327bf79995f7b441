#include "run/run_directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/whole_file.h"
#include "run/probe_sums.h"
#include "write/directory.h"

enum { RESERVE_BYTES = 1 << 16 };

/* ------------------------------------------------------------------------------------------------------------- contents */

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), own = strlen(ending);
    return length >= own && strcmp(name + length - own, ending) == 0;
}

/* Calls the function `visit` for each entry of a directory except "." and ".."; returns false if the directory cannot be read. */
static bool each_entry(const char *path, void (*visit)(const char *path, const char *name, void *user), void *user)
{
    DIR *directory = opendir(path);
    if (!directory)
        return false;
    for (const struct dirent *entry; (entry = readdir(directory));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            visit(path, entry->d_name, user);
    closedir(directory);
    return true;
}

typedef struct contents {
    bool outcome, lock, scene, other;
} contents;

static void judge_entry(const char *path, const char *name, void *user)
{
    (void)path;
    contents *found = user;
    if (strcmp(name, "outcome.json") == 0)
        found->outcome = true;
    else if (strcmp(name, ".lock") == 0)
        found->lock = true;
    else if (strcmp(name, "scene.json") == 0)
        found->scene = true;
    else if (!ends_with(name, ".part"))
        found->other = true;
}

/* A directory that contains only a lock file, or a lock file and a scene, counts as empty: the process may have been killed
 * before it wrote its first outcome.json. */
static cst_directory_state state_of(const contents *found)
{
    if (found->outcome)
        return CST_DIRECTORY_RUN;
    return found->other || (found->scene && !found->lock) ? CST_DIRECTORY_OTHER : CST_DIRECTORY_EMPTY;
}

static void remove_part(const char *path, const char *name, void *user)
{
    (void)user;
    char *file = ends_with(name, ".part") ? cst_path_join(path, name, "") : NULL;
    if (file)
        unlink(file);
    free(file);
}

void cst_run_directory_sweep(const cst_run_directory *directory)
{
    each_entry(directory->path, remove_part, NULL);
    each_entry(directory->probes, remove_part, NULL);
}

static bool remove_files(const char *const *file, size_t count, char *message, size_t message_size)
{
    for (size_t k = 0; k < count; k++) {
        if (unlink(file[k]) == 0 || errno == ENOENT)
            continue;
        snprintf(message, message_size, "%s: cannot be removed: %s", file[k], strerror(errno));
        return false;
    }
    return true;
}

bool cst_run_directory_forget(const cst_run_directory *directory, char *message, size_t message_size)
{
    const char *const files[] = {directory->next, directory->previous, directory->checkpoint};
    return remove_files(files, sizeof files / sizeof files[0], message, message_size);
}

bool cst_run_directory_clear(const cst_run_directory *directory, char *message, size_t message_size)
{
    char *journal = cst_path_join(directory->path, "cache.h5.journal", "");
    if (!journal) {
        snprintf(message, message_size, "%s: not enough memory", directory->path);
        return false;
    }
    cst_run_directory_sweep(directory);
    bool ok = cst_probe_sums_remove(directory->probes, message, message_size);
    rmdir(directory->probes); /* stays if it contains other files */
    /* outcome.json and scene.json are not removed: the new run writes both itself, and scene.json may be the very file with which
     * the user starts the new run */
    const char *const files[] = {journal, directory->cache, directory->reserve};
    ok = ok && remove_files(files, sizeof files / sizeof files[0], message, message_size);
    free(journal);
    return ok;
}

/* ------------------------------------------------------------------------------------------------------------- reserve */

bool cst_run_directory_reserve(const cst_run_directory *directory, char *message, size_t message_size)
{
    cst_arena scratch;
    cst_arena_begin(&scratch, NULL);
    cst_fault fault = cst_fault_begin(directory->reserve, message, message_size);
    const char *room = CST_TAKE(&scratch, char, RESERVE_BYTES);
    bool ok = room ? cst_whole_file_write(room, RESERVE_BYTES, &scratch, &fault) : cst_fault_memory(&fault);
    cst_arena_end(&scratch);
    return ok;
}

void cst_run_directory_release(const cst_run_directory *directory)
{
    unlink(directory->reserve);
}

/* ------------------------------------------------------------------------------------------------------------- opening */

static bool join_all(cst_run_directory *directory, const char *path)
{
    const struct {
        char **to;
        const char *name;
    } files[] = {{&directory->cache, "cache.h5"},
                 {&directory->checkpoint, "checkpoint.bin"},
                 {&directory->previous, "checkpoint.previous.bin"},
                 {&directory->next, "checkpoint.next.bin"},
                 {&directory->outcome, "outcome.json"},
                 {&directory->scene, "scene.json"},
                 {&directory->probes, "probes"},
                 {&directory->reserve, ".reserve"}};
    directory->path = strdup(path);
    bool ok = directory->path != NULL;
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        *files[k].to = cst_path_join(path, files[k].name, "");
        ok = ok && *files[k].to;
    }
    return ok;
}

static bool take_lock(cst_run_directory *directory, char *message, size_t message_size)
{
    char *name = cst_path_join(directory->path, ".lock", "");
    directory->lock = name ? open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    free(name);
    if (directory->lock < 0) {
        snprintf(message, message_size, "%s: cannot be written to: %s", directory->path, strerror(errno));
        return false;
    }
    if (flock(directory->lock, LOCK_EX | LOCK_NB) != 0) {
        snprintf(message, message_size, "%s: another process is writing to it", directory->path);
        return false;
    }
    return true;
}

static bool judge(cst_run_directory *directory, char *message, size_t message_size)
{
    contents found = {0};
    if (each_entry(directory->path, judge_entry, &found)) {
        directory->state = state_of(&found);
        return true;
    }
    snprintf(message, message_size, "%s: cannot be read: %s", directory->path, strerror(errno));
    return false;
}

bool cst_run_directory_open(cst_run_directory *directory, const char *path, bool must_exist, char *message, size_t message_size)
{
    *directory = (cst_run_directory){.lock = -1};
    if (!join_all(directory, path)) {
        snprintf(message, message_size, "%s: not enough memory", path);
        return false;
    }
    if (must_exist && access(path, F_OK) != 0) {
        snprintf(message, message_size, "%s: %s", path, strerror(errno));
        return false;
    }
    if (!cst_directory_make(path, message, message_size) || !judge(directory, message, message_size))
        return false;
    if (directory->state == CST_DIRECTORY_OTHER)
        return true; /* no process will write to it */
    /* checks the contents of the directory again, because another process may have started a run there before this process took
     * the lock */
    return take_lock(directory, message, message_size) && judge(directory, message, message_size);
}

void cst_run_directory_close(cst_run_directory *directory)
{
    if (directory->lock >= 0)
        close(directory->lock);
    char *const texts[] = {directory->path,    directory->cache, directory->checkpoint, directory->previous, directory->next,
                           directory->outcome, directory->scene, directory->probes,     directory->reserve};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        free(texts[k]);
    *directory = (cst_run_directory){.lock = -1};
}

bool cst_run_directory_busy(const char *path)
{
    char *name = cst_path_join(path, ".lock", "");
    int lock = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    free(name);
    if (lock < 0)
        return false;
    bool busy = flock(lock, LOCK_SH | LOCK_NB) != 0;
    close(lock);
    return busy;
}
