#include "scene/load_files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/whole_file.h"
#include "scene/check.h"
#include "scene/merge.h"
#include "scene/values.h"

enum { DEPTH_MAX = 16, SIZE_MAX_MB = 256 };

/* The chain of scene files from the requested file to the file that is being read; each file extends the next file of the
 * chain. */
typedef struct chain {
    const struct chain *before;
    const cst_source *source;
    struct stat file;
    bool known; /* `file` is valid */
    int depth;
} chain;

const char *cst_load_text(const char *path, cst_arena *arena, size_t *size, const char **why)
{
    static const char not_regular[] = "not a regular file", too_large[] = "larger than 256 MB", unread[] = "reading failed";
    struct stat about;
    /* O_NONBLOCK: if the file is a named pipe, open does not wait for another process to open it for writing */
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0 || fstat(descriptor, &about) != 0) {
        int number = errno;
        if (descriptor >= 0)
            close(descriptor);
        cst_text reason = {.arena = arena};
        cst_text_add(&reason, "%s", strerror(number));
        *why = cst_text_all(&reason);
        return NULL;
    }
    *why = !S_ISREG(about.st_mode) ? not_regular : about.st_size > (off_t)SIZE_MAX_MB << 20 ? too_large : NULL;
    char *text = *why ? NULL : CST_TAKE_RAW(arena, char, (size_t)about.st_size + 1);
    if (text) {
        cst_fault fault = cst_fault_begin(path, NULL, 0);
        *size = (size_t)about.st_size;
        text[*size] = '\0';
        if (!cst_read_at(descriptor, text, about.st_size, 0, &fault)) {
            *why = unread;
            text = NULL;
        }
    }
    close(descriptor);
    return text;
}

const char *cst_path_beside(const char *from, const char *name, cst_arena *arena)
{
    cst_text path = {.arena = arena};
    const char *slash = strrchr(from, '/');
    if (slash && name[0] != '/')
        cst_text_add_bytes(&path, from, (size_t)(slash - from) + 1);
    cst_text_add(&path, "%s", name);
    return cst_text_all(&path);
}

static cst_json *load(const char *text, size_t size, const chain *own, int *rank, cst_mistakes *mistakes);

static cst_json *load_below(cst_json *extends, const chain *own, int *rank, cst_mistakes *mistakes)
{
    if (extends->kind != CST_JSON_TEXT || !extends->text[0]) {
        cst_mistake_at(mistakes, extends, "expected the name of a file");
        return NULL;
    }
    cst_source *source = CST_TAKE(mistakes->arena, cst_source, 1);
    const char *path = cst_path_beside(own->source->name, extends->text, mistakes->arena), *why;
    if (!source)
        return NULL;
    *source = (cst_source){.name = path, .rank = ++*rank, .lines = true};
    chain below = {.before = own, .source = source, .depth = own->depth + 1};
    size_t size;
    const char *text = cst_load_text(path, mistakes->arena, &size, &why);
    if (!text && why)
        cst_mistake_at(mistakes, extends, "%s cannot be read: %s", path, why);
    if (!text)
        return NULL;
    below.known = stat(path, &below.file) == 0;
    for (const chain *above = own; above; above = above->before) {
        if (above->known && below.known && above->file.st_dev == below.file.st_dev && above->file.st_ino == below.file.st_ino) {
            cst_mistake_at(mistakes, extends, "%s extends itself%s", path, above == own ? "" : " by way of others");
            return NULL;
        }
    }
    if (below.depth > DEPTH_MAX) {
        cst_mistake_at(mistakes, extends, "more than %d files extend one another", DEPTH_MAX);
        return NULL;
    }
    return load(text, size, &below, rank, mistakes);
}

static cst_json *load(const char *text, size_t size, const chain *own, int *rank, cst_mistakes *mistakes)
{
    cst_json *root = cst_json_read(text, size, own->source, mistakes);
    cst_json *extends = root ? cst_json_find(root, "extends") : NULL;
    if (!extends)
        return root;
    cst_json *under = load_below(extends, own, rank, mistakes);
    if (!under) {
        extends->faulty = true;
        /* If the file that a scene extends cannot be read, the scene is not checked, because keys that are missing in the scene
         * may be in that file. */
        return NULL;
    }
    cst_json_replace(root, extends, NULL);
    if (under->kind != CST_JSON_OBJECT)
        return under;
    /* If the extending file gives the dimension (2D or 3D), it overrides the dimension in the extended file. */
    const cst_section *section = cst_root_section(cst_json_find(root, "dim") ? root : under);
    cst_scene_merge(section, under, root, mistakes->arena);
    return under;
}

cst_json *cst_load_scene(const char *text, size_t size, const cst_source *source, cst_mistakes *mistakes)
{
    chain own = {.source = source};
    int rank = source->rank;
    own.known = stat(source->name, &own.file) == 0;
    return load(text, size, &own, &rank, mistakes);
}
