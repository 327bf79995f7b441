/* Lists the files that a scene names, with their checksums. A run is not resumed if this list has changed. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "scene/load_files.h"
#include "scene/scene.h"
#include "scene/scene_data.h"
#include "scene/scene_mesh.h"
#include "scene/text.h"
#include "scene/values.h"

enum { BLOCK = 1 << 16 };

typedef struct listing {
    const cst_scene *scene;
    cst_text text;
    cst_arena *arena;
    unsigned char *block;
    char *message;
    size_t size;
} listing;

static bool refuse(listing *list, const char *path, const char *why)
{
    snprintf(list->message, list->size, "%s: %s", path, why);
    return false;
}

static bool sum_file(listing *list, const char *path, uint64_t *sum, int64_t *bytes)
{
    struct stat about;
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return refuse(list, path, strerror(errno));
    bool regular = fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
    ssize_t got = regular ? 1 : 0;
    *sum = 0;
    *bytes = 0;
    while (got > 0) {
        got = read(descriptor, list->block, BLOCK);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0) {
            *sum = cst_checksum(*sum, list->block, (size_t)got);
            *bytes += got;
        }
    }
    int why = errno;
    close(descriptor);
    if (!regular)
        return refuse(list, path, "is not a regular file");
    return got == 0 || refuse(list, path, strerror(why));
}

/* Returns `path` relative to the folder of the scene file, or unchanged if it lies outside this folder. */
static const char *from_scene(const cst_scene *scene, const char *path)
{
    const char *slash = strrchr(scene->name, '/');
    const size_t folder = slash ? (size_t)(slash - scene->name) + 1 : 0;
    return folder && strncmp(path, scene->name, folder) == 0 ? path + folder : path;
}

static bool list_file(listing *list, const char *path)
{
    uint64_t sum;
    int64_t bytes;
    if (!path || !sum_file(list, path, &sum, &bytes))
        return false;
    cst_text_add(&list->text, "%016" PRIx64 " %" PRId64 " %s\n", sum, bytes, from_scene(list->scene, path));
    return true;
}

static bool list_node(listing *list, const cst_json *node)
{
    bool ok = true;
    for (const cst_json *child = node->first; child && ok; child = child->next) {
        if (child->kind == CST_JSON_TEXT && node->role && strcmp(child->key, "file") == 0) {
            if (node->key && strcmp(node->key, "frames") == 0) {
                int paths;
                const char **path = cst_scene_sequence_paths(list->scene, node, &paths, list->arena, list->message, list->size);
                ok = path != NULL;
                for (int k = 0; ok && k < paths; k++)
                    ok = list_file(list, path[k]);
            } else {
                ok = list_file(list, cst_path_beside(list->scene->name, child->text, list->arena));
            }
        } else {
            ok = list_node(list, child);
        }
    }
    return ok;
}

const char *cst_scene_files(const cst_scene *scene, cst_arena *arena, char *message, size_t message_size)
{
    listing list = {.scene = scene, .text = {.arena = arena}, .arena = arena, .message = message, .size = message_size};
    list.block = CST_TAKE_RAW(arena, unsigned char, BLOCK);
    snprintf(message, message_size, "not enough memory");
    if (!list.block || (scene->root && !list_node(&list, scene->root)))
        return NULL;
    cst_text_add(&list.text, "%s", "");
    return arena->failed ? NULL : cst_text_all(&list.text);
}
