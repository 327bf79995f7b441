#include "scene/define_sheet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/merge_sort.h"
#include "base/order.h"
#include "cloth/sheet_shapes.h"
#include "math/vector3.h"
#include "mesh/mesh_file.h"
#include "scene/define_space.h"
#include "scene/load_files.h"
#include "scene/values.h"

/* the built-in shapes of a sheet, in the order of the choices in schema_sheet.c */
enum { RECTANGLE, DISK, TUBE };

/* PUBLISHED_BEND: the published bending numbers of fabrics are coefficients of Bridson's hinge force; such a number times
 * PUBLISHED_BEND is the bending stiffness of the sheet (docs/cloth.md). */
static const double PUBLISHED_BEND = 0.25;

/* ----------------------------------------------------------------------------------------------------------------- fabric */

const cst_json *cst_sheet_fabric_node(const cst_scene *scene, const cst_json *sheet)
{
    return cst_names_find(&scene->names, CST_NAMED_FABRIC, cst_get_text(sheet, "fabric"))->node;
}

static void define_bend(const cst_json *node, cst_fabric *fabric)
{
    const cst_json *bend = cst_given(node, "bend"), *published = cst_given(node, "bend_measured");
    double table[CST_BEND_ROWS * CST_BEND_COLUMNS];
    const cst_json *from = published ? published : bend;
    if (!from)
        return;
    if (from->kind == CST_JSON_ARRAY)
        cst_get_reals(from, table);
    for (int i = 0; i < CST_BEND_ROWS * CST_BEND_COLUMNS; i++)
        fabric->bend[i / CST_BEND_COLUMNS][i % CST_BEND_COLUMNS] =
            (published ? PUBLISHED_BEND : 1.0) * (from->kind == CST_JSON_ARRAY ? table[i] : from->number);
}

cst_fabric cst_define_fabric(const cst_json *node)
{
    const cst_json *small = cst_given(node, "stretching"), *large = cst_given(node, "stretching_large");
    cst_fabric fabric = {.density = cst_get_real(node, "density"),
                         .thickness = cst_get_real(node, "thickness"),
                         .membrane = (cst_membrane)cst_get_choice(node, "membrane"),
                         .bending = (cst_bending)cst_get_choice(node, "bending"),
                         .damping = cst_get_real(node, "damping_time")};
    if (cst_given(node, "young"))
        cst_fabric_isotropic(&fabric, cst_get_real(node, "young"), cst_get_real(node, "poisson_ratio"), fabric.thickness);
    for (int i = 0; small && i < CST_STRETCH_ROWS; i++)
        cst_get_reals(small, fabric.stretching[i]);
    if (large)
        cst_get_reals(large, fabric.stretching[1]);
    define_bend(node, &fabric);
    for (int i = 0; i < CST_STRETCH_ROWS * 4; i++)
        fabric.stretching[i / 4][i % 4] *= cst_get_real(node, "stretching_factor");
    for (int i = 0; i < CST_BEND_ROWS * CST_BEND_COLUMNS; i++)
        fabric.bend[i / CST_BEND_COLUMNS][i % CST_BEND_COLUMNS] *= cst_get_real(node, "bending_factor");
    return fabric;
}

/* ------------------------------------------------------------------------------------------------------------------ files */

typedef struct corner_key {
    /* `place`: index of a corner of a triangle in the array (triangles x 3) of the corners of all triangles */
    int32_t vertex, texture, place;
} corner_key;

static int by_corner(const void *a, const void *b)
{
    const corner_key *one = a, *two = b;
    return cst_order_keys((int64_t[]){one->vertex, one->texture, one->place}, (int64_t[]){two->vertex, two->texture, two->place},
                          3);
}

/* Makes the corners of the rest shape from texture coordinates. Each pair of texture coordinates of a vertex gives one corner of
 * the rest shape. A vertex on a seam has several pairs of texture coordinates, and so gives several corners of the rest shape. */
static bool corners_of_texture(const cst_mesh_file *file, double scale, cst_arena *scratch, cst_sheet_shape *out)
{
    const size_t count = 3 * (size_t)file->triangles;
    corner_key *key = CST_TAKE_RAW(scratch, corner_key, count), *room = CST_TAKE_RAW(scratch, corner_key, count);
    out->rest = CST_TAKE_RAW(scratch, double, 2 * count);
    out->node_of = CST_TAKE_RAW(scratch, int32_t, count);
    if (scratch->failed)
        return false;
    for (size_t i = 0; i < count; i++)
        key[i] = (corner_key){file->triangle[i], file->texture_of[i], (int32_t)i};
    cst_merge_sort(key, room, count, sizeof *key, by_corner);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || key[i].vertex != key[i - 1].vertex || key[i].texture != key[i - 1].texture) {
            out->node_of[out->corners] = key[i].vertex;
            for (int k = 0; k < 2; k++)
                out->rest[2 * out->corners + k] = scale * file->texture[2 * (size_t)key[i].texture + (size_t)k];
            out->corners++;
        }
        out->triangle[key[i].place] = out->corners - 1;
    }
    return true;
}

/* Uses the x and y coordinates of the vertices as the corners of the rest shape. */
static bool corners_of_places(const cst_mesh_file *file, double scale, cst_arena *scratch, cst_sheet_shape *out)
{
    out->corners = file->vertices;
    out->rest = CST_TAKE_RAW(scratch, double, 2 * (size_t)file->vertices);
    for (int i = 0; out->rest && i < file->vertices; i++)
        for (int k = 0; k < 2; k++)
            out->rest[2 * i + k] = scale * file->vertex[3 * i + k];
    return out->rest;
}

/* Reads the rest shape from a second mesh file, which has the same faces as the file of the sheet, in the same order. The
 * vertices of this second mesh file are the corners of the rest shape. */
static bool corners_of_file(const char *path, const cst_mesh_file *file, double scale, cst_arena *scratch, cst_sheet_shape *out,
                            char *why, size_t size)
{
    cst_mesh_file rest;
    if (!cst_mesh_file_read(path, &scratch->allocator, &rest, why, size))
        return false;
    bool good = rest.triangles == file->triangles;
    if (!good)
        snprintf(why, size, "rest.file: %s has %d triangles, the sheet has %d: both need the same faces in the same order", path,
                 rest.triangles, file->triangles);
    out->node_of = CST_TAKE_RAW(scratch, int32_t, rest.vertices);
    good = good && out->node_of && corners_of_places(&rest, scale, scratch, out);
    for (int i = 0; good && i < rest.vertices; i++)
        out->node_of[i] = -1;
    for (int i = 0; good && i < 3 * rest.triangles; i++) {
        int32_t *node = out->node_of + rest.triangle[i];
        good = *node < 0 || *node == file->triangle[i];
        if (!good)
            snprintf(why, size, "rest.file: vertex %d of %s stands for vertices %d and %d of the sheet (from 1)",
                     (int)rest.triangle[i] + 1, path, (int)*node + 1, (int)file->triangle[i] + 1);
        *node = file->triangle[i];
        out->triangle[i] = rest.triangle[i];
    }
    for (int i = 0; good && i < rest.vertices; i++) {
        good = out->node_of[i] >= 0;
        if (!good)
            snprintf(why, size, "rest.file: vertex %d of %s is in no face (from 1): leave it out", i + 1, path);
    }
    cst_mesh_file_free(&rest);
    return good;
}

static bool read_shape(const cst_scene *scene, const cst_json *node, cst_arena *scratch, cst_sheet_shape *out, char *why,
                       size_t size)
{
    const cst_json *rest = cst_given(node, "rest");
    const char *path = cst_path_beside(scene->name, cst_get_text(node, "file"), scratch);
    const double scale = cst_get_real(node, "scale");
    cst_mesh_file file;
    if (scratch->failed || !cst_mesh_file_read(path, &scratch->allocator, &file, why, size))
        return false;
    *out = (cst_sheet_shape){.nodes = file.vertices, .triangles = file.triangles};
    out->position = CST_TAKE_RAW(scratch, double, 3 * (size_t)file.vertices);
    out->triangle = CST_TAKE_RAW(scratch, int32_t, 3 * (size_t)file.triangles);
    bool good = !scratch->failed;
    for (int i = 0; good && i < 3 * file.vertices; i++)
        out->position[i] = scale * file.vertex[i];
    if (good)
        memcpy(out->triangle, file.triangle, 3 * (size_t)file.triangles * sizeof *out->triangle);
    if (rest)
        good = good && corners_of_file(cst_path_beside(scene->name, cst_get_text(rest, "file"), scratch), &file, scale, scratch,
                                       out, why, size);
    else if (file.texture_of)
        good = good && corners_of_texture(&file, scale, scratch, out);
    else
        good = good && corners_of_places(&file, scale, scratch, out);
    cst_mesh_file_free(&file);
    return good;
}

/* ----------------------------------------------------------------------------------------------------------------- shapes */

static int cells_of(double length, double edge, int least)
{
    const double cells = fmin(round(length / edge), 1e4);
    return cells > least ? (int)cells : least;
}

static bool make_shape(const cst_scene *scene, const cst_json *node, cst_arena *scratch, cst_sheet_shape *out, char *why,
                       size_t size)
{
    static const double TURN = 6.28318530717958647693;
    const double width = cst_get_real(node, "width"), height = cst_get_real(node, "height"),
                 radius = cst_get_real(node, "radius"), edge = cst_get_real(node, "edge");
    const int shape = cst_get_choice(node, "shape");
    if (shape == RECTANGLE) {
        const int cells[2] = {cells_of(width, edge, 1), cells_of(height, edge, 1)};
        return cst_sheet_rectangle(width, height, cells, (cst_sheet_cut)cst_get_choice(node, "cut"), scratch, out);
    }
    if (shape == DISK)
        return cst_sheet_disk(radius, cells_of(radius, edge, 1), scratch, out);
    if (shape == TUBE) {
        const int cells[2] = {cells_of(TURN * radius, edge, 3), cells_of(height, edge, 1)};
        return cst_sheet_tube(radius, height, cells, scratch, out);
    }
    return read_shape(scene, node, scratch, out, why, size);
}

static void put_shape(const cst_json *node, cst_sheet_shape *shape)
{
    double R[9], at[3];
    cst_get_vector(node, "position", at);
    cst_get_rotation(node, "rotation", R);
    for (int i = 0; i < shape->nodes; i++) {
        double *x = shape->position + 3 * (size_t)i;
        const double own[3] = {x[0], x[1], x[2]};
        cst_apply3(R, own, x);
        cst_add3(1.0, at, x);
    }
    for (int i = 0; i < 2 * shape->corners; i++)
        shape->rest[i] *= cst_get_real(node, "rest_scale");
}

/* ---------------------------------------------------------------------------------------------------------------- handles */

static bool is_between(const double *x, const double *from, const double *to)
{
    for (int k = 0; k < 3; k++)
        if (x[k] < fmin(from[k], to[k]) - 1e-9 || x[k] > fmax(from[k], to[k]) + 1e-9)
            return false;
    return true;
}

static void list_nodes(const cst_json *node, const cst_sheet_def *def, int32_t *out, int *count)
{
    const cst_json *given = cst_given(node, "nodes");
    double from[3], to[3];
    *count = 0;
    for (const cst_json *one = given ? given->first : NULL; one; one = one->next)
        out[(*count)++] = one->number < def->nodes ? (int32_t)one->number : def->nodes; /* the world rejects the index `nodes` */
    if (given)
        return;
    cst_get_vector(node, "from", from);
    cst_get_vector(node, "to", to);
    for (int32_t i = 0; i < def->nodes; i++)
        if (is_between(def->position + 3 * (size_t)i, from, to))
            out[(*count)++] = i;
}

static bool define_handle(const cst_json *node, const cst_sheet_def *def, cst_arena *scratch, cst_handle *out, char *why,
                          size_t size)
{
    const cst_json *given = cst_given(node, "nodes");
    int32_t *list = CST_TAKE(scratch, int32_t, given && given->count > def->nodes ? given->count : def->nodes);
    *out = (cst_handle){.node = list, .release_time = cst_get_real_or(node, "release_time", -1.0)};
    if (!list)
        return false;
    list_nodes(node, def, list, &out->nodes);
    if (out->nodes == 0) {
        snprintf(why, size, "handles[%d]: there is no node in the box from \"from\" to \"to\"", node->index);
        return false;
    }
    for (int i = 0; i < out->nodes; i++)
        if (list[i] < def->nodes)
            cst_add3(1.0 / out->nodes, def->position + 3 * (size_t)list[i], out->centre);
    out->motion = cst_define_space_motion(cst_given(node, "motion"), out->centre, scratch);
    return true;
}

static bool define_handles(const cst_json *node, cst_arena *scratch, cst_sheet_def *def, char *why, size_t size)
{
    const cst_json *list = cst_given(node, "handles");
    if (!list)
        return true;
    cst_handle *handle = CST_TAKE(scratch, cst_handle, list->count);
    def->handle = handle;
    def->handles = list->count;
    for (const cst_json *one = list->first; handle && one; one = one->next)
        if (!define_handle(one, def, scratch, handle + one->index, why, size))
            return false;
    return handle;
}

static void define_wind(const cst_json *node, cst_wind *out)
{
    if (!node)
        return;
    cst_get_vector(node, "velocity", out->velocity);
    out->density = cst_get_real(node, "density");
    out->normal = cst_get_real(node, "normal");
    out->tangential = cst_get_real(node, "tangential");
    out->gust = cst_get_real(node, "gust");
    out->period = cst_get_real(node, "period");
}

bool cst_define_sheet(const cst_scene *scene, const cst_json *node, cst_sheet_def *out, cst_arena *scratch, char *why,
                      size_t size)
{
    cst_sheet_shape shape = {0};
    *out = cst_sheet_def_default();
    snprintf(why, size, "out of memory"); /* if memory runs out, this message stays; any other error overwrites it */
    if (!make_shape(scene, node, scratch, &shape, why, size))
        return false;
    put_shape(node, &shape);
    cst_sheet_shape_use(&shape, out);
    out->fabric = cst_define_fabric(cst_sheet_fabric_node(scene, node));
    out->bent_at_rest = cst_get_bool(node, "bent_at_rest");
    cst_get_vector(node, "velocity", out->velocity);
    define_wind(cst_given(node, "wind"), &out->wind);
    out->surface.friction = cst_get_real_or(node, "friction", CST_UNSET);
    out->surface.restitution = cst_get_real_or(node, "restitution", CST_UNSET);
    return define_handles(node, scratch, out, why, size);
}
