#include "scene/scene_mesh.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "math/vector3.h"
#include "mesh/human_shape.h"
#include "mesh/mesh_file.h"
#include "mesh/vertex_sequence.h"
#include "scene/load_files.h"
#include "scene/values.h"

enum { FRAMES_MAX = 100000 };

void cst_scene_rebase_files(cst_json *node, const cst_source *own, cst_arena *arena)
{
    const char *slash = strrchr(own->name, '/');
    const size_t folder = slash ? (size_t)(slash - own->name) + 1 : 0;
    for (cst_json *child = node->first; child; child = child->next) {
        cst_scene_rebase_files(child, own, arena);
        bool file = child->kind == CST_JSON_TEXT && !child->faulty && node->role && strcmp(child->key, "file") == 0;
        if (!file || child->source == own || !child->source->lines)
            continue; /* a file name in an option --set PATH=VALUE is already relative to the scene file */
        const char *path = cst_path_beside(child->source->name, child->text, arena);
        child->text = folder && strncmp(path, own->name, folder) == 0 ? path + folder : path;
    }
}

static double *scaled(const double *from, size_t count, double scale, cst_arena *scratch)
{
    double *to = CST_TAKE_RAW(scratch, double, count);
    for (size_t i = 0; to && i < count; i++)
        to[i] = scale * from[i];
    return to;
}

/* Reads the mesh file named by the key "file" of an object of the scene. The arrays are allocated in `scratch`. */
static bool read_mesh(const cst_scene *scene, const cst_json *node, cst_mesh *mesh, cst_arena *scratch, char *why, size_t size)
{
    cst_mesh_file file;
    const char *path = cst_path_beside(scene->name, cst_get_text(node, "file"), scratch);
    if (scratch->failed || !cst_mesh_file_read(path, &scratch->allocator, &file, why, size))
        return false;
    int32_t *triangle = CST_TAKE_RAW(scratch, int32_t, 3 * (size_t)file.triangles);
    *mesh = (cst_mesh){.vertex = scaled(file.vertex, 3 * (size_t)file.vertices, cst_get_real(node, "scale"), scratch),
                       .triangle = triangle,
                       .vertices = file.vertices,
                       .triangles = file.triangles,
                       .closed = file.closed};
    if (triangle)
        memcpy(triangle, file.triangle, 3 * (size_t)file.triangles * sizeof *triangle);
    cst_mesh_file_free(&file);
    return !scratch->failed;
}

/* ------------------------------------------------------------------------------------------------------------- deforming */

/* Inserts a number into a file name such as "cloth_%03d.obj". Returns NULL if the file name does not have exactly one conversion
 * such as %d or %03d. */
static const char *numbered(const char *pattern, int number, cst_arena *scratch)
{
    const char *mark = strchr(pattern, '%');
    if (!mark)
        return NULL;
    size_t digits = strspn(mark + 1, "0123456789");
    const char *after = mark + 1 + digits + 1;
    if (mark[1 + digits] != 'd' || strchr(after, '%') || (digits != 0 && (digits != 2 || mark[1] != '0')))
        return NULL;
    int width = digits ? mark[digits] - '0' : 0;
    cst_text text = {.arena = scratch};
    cst_text_add_bytes(&text, pattern, (size_t)(mark - pattern));
    cst_text_add(&text, "%0*d%s", width > 0 ? width : 1, number, after);
    return cst_text_all(&text);
}

const char **cst_scene_sequence_paths(const cst_scene *scene, const cst_json *frames, int *paths, cst_arena *scratch, char *why,
                                      size_t size)
{
    const char *file = cst_get_text(frames, "file");
    int first = (int)cst_get_integer(frames, "first"), last = (int)cst_get_real_or(frames, "last", first + FRAMES_MAX - 1.0);
    const char **path = CST_TAKE(scratch, const char *, (size_t)FRAMES_MAX);
    *paths = 0;
    if (!path)
        return NULL;
    if (cst_name_ends(file, ".pc2")) {
        path[(*paths)++] = cst_path_beside(scene->name, file, scratch);
        return path;
    }
    if (!numbered(file, 0, scratch)) {
        snprintf(why, size, "frames.file: \"%s\" is neither a .pc2 file nor has a place for a number, like \"cloth_%%03d.obj\"",
                 file);
        return NULL;
    }
    for (int number = first; number <= last && *paths < FRAMES_MAX; number++) {
        struct stat about;
        const char *own = cst_path_beside(scene->name, numbered(file, number, scratch), scratch);
        if (stat(own, &about) != 0 && !cst_given(frames, "last") && *paths > 0)
            break;
        path[(*paths)++] = own;
    }
    return path;
}

static bool read_frames(const cst_scene *scene, const cst_json *node, cst_obstacle_def *def, cst_arena *scratch, char *why,
                        size_t size)
{
    const cst_json *frames = cst_given(node, "frames");
    int paths;
    const char **path = cst_scene_sequence_paths(scene, frames, &paths, scratch, why, size);
    cst_vertex_sequence sequence;
    if (!path || scratch->failed ||
        !cst_vertex_sequence_read(path, paths, 1.0 / cst_get_real(frames, "frames_per_second"), &scratch->allocator, &sequence,
                                  why, size))
        return false;
    bool fits = sequence.vertices == def->mesh.vertices;
    if (!fits)
        snprintf(why, size, "frames.file: %s has %d vertices, the mesh has %d", path[0], sequence.vertices, def->mesh.vertices);
    double *time = CST_TAKE(scratch, double, (size_t)sequence.times);
    for (int i = 0; time && i < sequence.times; i++)
        time[i] = sequence.time[i] + cst_get_real(frames, "start");
    def->mesh_vertex =
        scaled(sequence.vertex, 3 * (size_t)sequence.vertices * (size_t)sequence.times, cst_get_real(node, "scale"), scratch);
    def->mesh_time = time;
    def->mesh_times = sequence.times;
    cst_vertex_sequence_free(&sequence);
    return fits && !scratch->failed;
}

static bool make_human(const cst_json *node, cst_mesh *mesh, cst_arena *scratch)
{
    const bool head = strcmp(cst_get_text(node, "shape"), "head") == 0;
    cst_star_mesh made;
    if (!cst_star_mesh_make(cst_human_body(head ? CST_HUMAN_HEAD : CST_HUMAN_BUST), (int)cst_get_integer(node, "detail"), scratch,
                            &made))
        return false;
    *mesh = (cst_mesh){.vertex = scaled(made.vertex, 3 * (size_t)made.vertices, cst_get_real(node, "scale"), scratch),
                       .triangle = made.triangle,
                       .vertices = made.vertices,
                       .triangles = made.triangles,
                       .closed = true};
    return !scratch->failed;
}

bool cst_scene_add_obstacle_mesh(const cst_scene *scene, const cst_json *node, cst_obstacle_def *def, cst_arena *scratch,
                                 char *why, size_t size)
{
    if (def->shape != CST_OBSTACLE_MESH)
        return true;
    if (strcmp(cst_get_text(node, "shape"), "mesh") != 0)
        return make_human(node, &def->mesh, scratch);
    if (!read_mesh(scene, node, &def->mesh, scratch, why, size))
        return false;
    const cst_json *closed = cst_given(node, "closed");
    if (closed && closed->truth && !def->mesh.closed) {
        snprintf(why, size, "closed: the mesh of \"%s\" has edges that belong to one triangle only, or to more than two",
                 cst_get_text(node, "file"));
        return false;
    }
    def->mesh.closed = closed ? closed->truth : def->mesh.closed;
    return !cst_given(node, "frames") || read_frames(scene, node, def, scratch, why, size);
}

/* ----------------------------------------------------------------------------------------------------------------- rigid */

/* Returns the volume that a closed mesh encloses. */
static double enclosed(const cst_mesh *mesh)
{
    double six = 0.0;
    for (int i = 0; i < mesh->triangles; i++) {
        double corner[3][3], across[3];
        for (int k = 0; k < 3; k++)
            cst_subtract3(mesh->vertex + 3 * (size_t)mesh->triangle[3 * i + k], mesh->vertex, corner[k]);
        cst_cross3(corner[1], corner[2], across);
        six += cst_dot3(corner[0], across);
    }
    return six / 6.0;
}

bool cst_scene_add_rigid_mesh(const cst_scene *scene, const cst_json *node, cst_rigid_def *def, cst_arena *scratch, char *why,
                              size_t size)
{
    if (def->shape != CST_RIGID_MESH)
        return true;
    if (!read_mesh(scene, node, &def->mesh, scratch, why, size))
        return false;
    def->mass = cst_get_real_or(node, "mass", cst_get_real_or(node, "density", 0.0) * enclosed(&def->mesh));
    return true;
}
