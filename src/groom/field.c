#include "groom/field.h"

#include <math.h>
#include <string.h>

#include "collide/box_tree.h"
#include "collide/distance_solid_space.h"
#include "collide/distance_triangle.h"
#include "math/vector3.h"

enum { SLOTS_FIRST = 1 << 12, BRICK = 4, NODES = BRICK + 1 };

#define GRID_STEP 0.003
/* GRID_STEP: grid step (m). Linear interpolation on a grid with the step 0.003 m gives the distance from a sphere of radius 0.1 m
 * with an error of 0.02 mm. */
static const double grid_step = GRID_STEP;

/* indices, along the three axes, of the grid node in the middle of a brick (block of grid cells) */
static const int32_t middle_node[3] = {BRICK / 2, BRICK / 2, BRICK / 2};

typedef struct prepared {
    const cst_groom_mesh *mesh;
    cst_box_tree tree;
    cst_laid_triangle *laid; /* (triangles) */
    double *face;            /* array (triangles x 3): unit normals */
    double *side;            /* array (triangles x 3 x 3): normals at the edges of the triangles */
    double *corner;          /* array (vertices x 3): normals at the vertices of the mesh */
} prepared;

/* A brick is a block of BRICK x BRICK x BRICK grid cells. A brick stores the distance from the obstacles at all grid nodes of its
 * block, also on the boundary, so that all corners of a cell are in one brick. A node on the boundary of several bricks is
 * therefore stored several times. */
typedef struct brick {
    int32_t at[3];
    int32_t last[3]; /* the grid node of this brick whose distance from the obstacles was computed last */
    float last_distance;
    float distance[NODES][NODES][NODES]; /* NAN: distance not computed yet */
} brick;

struct cst_groom_field {
    prepared *mesh;
    int meshes;
    const cst_solid *solid;
    int solids;
    double reach;
    cst_arena *arena;
    /* Hash table of the bricks (blocks of grid cells) created so far, with open addressing. The number of slots of the hash table
     * is a power of two, and at most half of the slots are used. */
    brick **slot;
    size_t slots, used;
    brick *last;
};

/* --------------------------------------------------------------------------------------------------------------- preparing */

static const double *corner_of(const cst_groom_mesh *mesh, int triangle, int k)
{
    return mesh->vertex + 3 * (size_t)mesh->triangle[3 * (size_t)triangle + (size_t)(k % 3)];
}

static double angle_at(const double *a, const double *b, const double *c)
{
    double u[3], v[3], across[3];
    cst_subtract3(b, a, u);
    cst_subtract3(c, a, v);
    cst_cross3(u, v, across);
    return atan2(sqrt(cst_dot3(across, across)), cst_dot3(u, v));
}

/* Computes the normal at each edge of a triangle: the sum of the normals of the two triangles that share the edge. `head`,
 * `next`: lists of the triangles at each vertex. */
static void add_sides(const cst_groom_mesh *mesh, prepared *out, const int32_t *head, const int32_t *next)
{
    for (int i = 0; i < mesh->triangles; i++)
        for (int k = 0; k < 3; k++) {
            const int32_t from = mesh->triangle[3 * (size_t)i + (size_t)k],
                          to = mesh->triangle[3 * (size_t)i + (size_t)((k + 1) % 3)];
            double *side = out->side + 9 * (size_t)i + 3 * (size_t)k;
            memcpy(side, out->face + 3 * (size_t)i, 3 * sizeof *side);
            for (int32_t c = head[to]; c >= 0; c = next[c])
                if (mesh->triangle[3 * (c / 3) + (c + 1) % 3] == from)
                    cst_add3(1.0, out->face + 3 * (size_t)(c / 3), side);
        }
}

static bool prepare(const cst_groom_mesh *mesh, prepared *out, cst_arena *arena)
{
    const size_t n = (size_t)mesh->triangles;
    cst_box *box = CST_TAKE(arena, cst_box, n);
    int32_t *head = CST_TAKE(arena, int32_t, mesh->vertices), *next = CST_TAKE(arena, int32_t, 3 * n);
    *out = (prepared){.mesh = mesh,
                      .laid = CST_TAKE(arena, cst_laid_triangle, n),
                      .face = CST_TAKE(arena, double, 3 * n),
                      .side = CST_TAKE(arena, double, 9 * n),
                      .corner = CST_TAKE(arena, double, 3 * (size_t)mesh->vertices)};
    if (arena->failed)
        return false;
    memset(head, -1, (size_t)mesh->vertices * sizeof *head);
    for (int i = 0; i < mesh->triangles; i++) {
        const double *a = corner_of(mesh, i, 0), *b = corner_of(mesh, i, 1), *c = corner_of(mesh, i, 2);
        double ab[3], ac[3], corners[9], *normal = out->face + 3 * (size_t)i;
        cst_subtract3(b, a, ab);
        cst_subtract3(c, a, ac);
        cst_cross3(ab, ac, normal);
        cst_normalise3(normal);
        memcpy(corners, a, 3 * sizeof *corners);
        memcpy(corners + 3, b, 3 * sizeof *corners);
        memcpy(corners + 6, c, 3 * sizeof *corners);
        cst_lay_triangle(corners, out->laid + i);
        for (int k = 0; k < 3; k++) {
            box[i].low[k] = fmin(a[k], fmin(b[k], c[k]));
            box[i].high[k] = fmax(a[k], fmax(b[k], c[k]));
            const int32_t corner = 3 * i + k, v = mesh->triangle[corner];
            next[corner] = head[v];
            head[v] = corner;
            const double angle = angle_at(corner_of(mesh, i, k), corner_of(mesh, i, k + 1), corner_of(mesh, i, k + 2));
            cst_add3(angle, normal, out->corner + 3 * (size_t)v);
        }
    }
    add_sides(mesh, out, head, next);
    return cst_box_tree_build(box, mesh->triangles, arena, &out->tree);
}

cst_groom_field *cst_groom_field_new(const cst_groom_mesh *mesh, int meshes, const cst_solid *solid, int solids, double reach,
                                     cst_arena *arena)
{
    cst_groom_field *field = CST_TAKE(arena, cst_groom_field, 1);
    if (!field)
        return NULL;
    *field = (cst_groom_field){
        .meshes = meshes, .solid = solid, .solids = solids, .reach = reach, .arena = arena, .slots = SLOTS_FIRST};
    field->mesh = CST_TAKE(arena, prepared, meshes);
    field->slot = CST_TAKE(arena, brick *, field->slots);
    bool built = field->mesh && field->slot;
    for (int i = 0; built && i < meshes; i++)
        built = prepare(mesh + i, field->mesh + i, arena);
    return built ? field : NULL;
}

/* ---------------------------------------------------------------------------------------------------------------- distances */

typedef struct search {
    const prepared *own;
    const double *x;
    double least;
    int triangle; /* index of the nearest triangle found so far; -1: none found within the search distance */
    cst_on_triangle on;
} search;

/* Computes the squared distance of a point from each of the eight bounding boxes in one struct cst_box_row; for an unused box,
 * the result is infinite. The loops over the eight boxes have no branches, so that the compiler can vectorise them. */
static void box_distances(const cst_box_row *row, const float *x, float *square)
{
    for (int i = 0; i < CST_BOX_FAN; i++)
        square[i] = row->low[0][i] <= row->high[0][i] ? 0.0f : INFINITY;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < CST_BOX_FAN; i++) {
            const float below = row->low[k][i] - x[k], above = x[k] - row->high[k][i];
            float off = below > above ? below : above;
            off = off > 0.0f ? off : 0.0f;
            square[i] += off * off;
        }
}

static void look_at_triangle(search *s, int32_t triangle)
{
    const cst_on_triangle on = cst_point_laid_triangle(s->x, s->own->laid + triangle);
    if (on.distance < s->least) {
        s->least = on.distance;
        s->triangle = triangle;
        s->on = on;
    }
}

/* Searches for the triangle nearest to a point in the eight bounding boxes of one row of the tree of boxes, beginning with the
 * nearest box. The search ends when no remaining box is nearer than the nearest triangle found so far. The bounding boxes are in
 * single precision, with an error of 1e-7 m, so the search may find any one of several triangles whose distances from the point
 * differ by less than this error. */
static void search_row(search *s, int level, int number)
{
    const cst_box_tree *tree = &s->own->tree;
    const float x[3] = {(float)s->x[0], (float)s->x[1], (float)s->x[2]};
    float square[CST_BOX_FAN];
    box_distances(tree->row[level] + number, x, square);
    for (;;) {
        int next = 0;
        for (int i = 1; i < CST_BOX_FAN; i++)
            next = square[i] < square[next] ? i : next;
        if (!((double)square[next] < s->least * s->least))
            return;
        square[next] = INFINITY;
        const int below = CST_BOX_FAN * number + next;
        if (level > 0)
            search_row(s, level - 1, below);
        else if (tree->index[below] >= 0)
            look_at_triangle(s, tree->index[below]);
    }
}

static double mesh_distance(const prepared *own, double reach, const double *x, double *gradient)
{
    const double rounding = own->mesh->rounding;
    const int top = own->tree.levels - 1;
    search s = {.own = own, .x = x, .least = reach + rounding, .triangle = -1};
    for (int i = 0; i < own->tree.rows[top]; i++)
        search_row(&s, top, i);
    if (s.triangle < 0) {
        memset(gradient, 0, 3 * sizeof *gradient);
        return reach;
    }
    const size_t t = (size_t)s.triangle;
    const int part = s.on.part;
    const double *normal = part == CST_TRIANGLE_FACE ? own->face + 3 * t
                           : part < CST_TRIANGLE_CORNER
                               ? own->side + 9 * t + 3 * (size_t)(part - CST_TRIANGLE_EDGE)
                               : own->corner + 3 * (size_t)own->mesh->triangle[3 * t + (size_t)(part - CST_TRIANGLE_CORNER)];
    cst_subtract3(x, s.on.x, gradient);
    const double sign = cst_dot3(gradient, normal) < 0.0 ? -1.0 : 1.0;
    if (s.least > 1e-9)
        for (int k = 0; k < 3; k++)
            gradient[k] *= sign / s.least;
    else
        memcpy(gradient, normal, 3 * sizeof *gradient);
    cst_normalise3(gradient);
    return sign * s.least - rounding;
}

double cst_groom_distance(const cst_groom_field *field, const double x[3], double most, double *gradient)
{
    const double within = fmin(field->reach, most);
    double least = within, away[3], unused[3], *out = gradient ? gradient : unused;
    memset(out, 0, 3 * sizeof *out);
    for (int i = 0; i < field->meshes + field->solids; i++) {
        const double own = i < field->meshes ? mesh_distance(field->mesh + i, within, x, away)
                                             : cst_solid_distance(field->solid + (i - field->meshes), x, away);
        if (own < least) {
            least = own;
            memcpy(out, away, sizeof away);
        }
    }
    return least;
}

/* --------------------------------------------------------------------------------------------------------------------- grid */

static size_t place_of(brick *const *slot, size_t slots, const int32_t at[3])
{
    uint64_t mixed = (uint64_t)(uint32_t)at[0] * 0x9E3779B97F4A7C15u ^ (uint64_t)(uint32_t)at[1] * 0xBF58476D1CE4E5B9u ^
                     (uint64_t)(uint32_t)at[2] * 0x94D049BB133111EBu;
    size_t place = (size_t)(mixed ^ mixed >> 29) & (slots - 1);
    while (slot[place] && memcmp(slot[place]->at, at, sizeof slot[place]->at) != 0)
        place = (place + 1) & (slots - 1);
    return place;
}

static bool grow(cst_groom_field *field)
{
    const size_t slots = 2 * field->slots;
    brick **slot = CST_TAKE(field->arena, brick *, slots);
    if (!slot)
        return false;
    for (size_t i = 0; i < field->slots; i++)
        if (field->slot[i])
            slot[place_of(slot, slots, field->slot[i]->at)] = field->slot[i];
    field->slot = slot;
    field->slots = slots;
    return true;
}

static double node_distance(const cst_groom_field *field, brick *own, const int32_t at[3])
{
    float *known = &own->distance[at[0]][at[1]][at[2]];
    if (isnan(*known)) {
        double x[3], hops = 0.0;
        for (int k = 0; k < 3; k++) {
            x[k] = ((double)own->at[k] * BRICK + at[k]) * grid_step;
            hops += fabs((double)(at[k] - own->last[k]));
        }
        *known = (float)cst_groom_distance(field, x, fabs((double)own->last_distance) + (hops + 0.01) * grid_step, NULL);
        memcpy(own->last, at, sizeof own->last);
        own->last_distance = *known;
    }
    return (double)*known;
}

/* Returns the brick (block of grid cells) with the index `at`, and creates it if it does not exist. For a new brick, only the
 * distance at its middle node is computed. Returns NULL if memory ran out. */
static brick *brick_at(cst_groom_field *field, const int32_t at[3])
{
    if (field->last && memcmp(field->last->at, at, sizeof field->last->at) == 0)
        return field->last;
    size_t place = place_of(field->slot, field->slots, at);
    if (!field->slot[place]) {
        brick *made = CST_TAKE(field->arena, brick, 1);
        if (!made || (2 * field->used >= field->slots && !grow(field)))
            return NULL;
        memcpy(made->at, at, sizeof made->at);
        made->last_distance = INFINITY;
        for (int i = 0; i < NODES * NODES * NODES; i++)
            made->distance[i / (NODES * NODES)][i / NODES % NODES][i % NODES] = NAN;
        node_distance(field, made, middle_node);
        place = place_of(field->slot, field->slots, at);
        field->slot[place] = made;
        field->used++;
    }
    field->last = field->slot[place];
    return field->last;
}

/* Returns the brick (block of grid cells) that contains the point x. `low`: indices of the point's grid cell within the brick.
 * `part`: position of the point in the grid cell, three numbers from 0 to 1. Returns NULL if memory ran out. */
static brick *brick_of(cst_groom_field *field, const double x[3], int32_t *low, double *part)
{
    int32_t which[3];
    for (int k = 0; k < 3; k++) {
        const double cell = fmin(fmax(floor(x[k] / grid_step), -1e9), 1e9), of = floor(cell / BRICK);
        which[k] = (int32_t)of;
        low[k] = (int32_t)(cell - of * BRICK);
        part[k] = x[k] / grid_step - cell;
    }
    return brick_at(field, which);
}

double cst_groom_distance_least(cst_groom_field *field, const double x[3], double enough, double *gradient)
{
    /* half the diagonal of a brick (block of grid cells), plus the error of single precision (m) */
    static const double half_diagonal = 0.8661 * BRICK * GRID_STEP + 1e-6;
    int32_t low[3];
    double part[3];
    const brick *own = brick_of(field, x, low, part);
    const double least = own ? (double)own->distance[middle_node[0]][middle_node[1]][middle_node[2]] - half_diagonal : -INFINITY;
    if (least > enough) {
        memset(gradient, 0, 3 * sizeof *gradient);
        return least;
    }
    return cst_groom_distance_about(field, x, gradient);
}

double cst_groom_distance_about(cst_groom_field *field, const double x[3], double *gradient)
{
    int32_t low[3];
    double part[3], value[8];
    brick *own = brick_of(field, x, low, part);
    if (!own) /* memory ran out: returns the exact distance, which the caller will discard */
        return cst_groom_distance(field, x, field->reach, gradient);
    for (int i = 0; i < 8; i++) {
        const int32_t at[3] = {low[0] + (i & 1), low[1] + (i >> 1 & 1), low[2] + (i >> 2)};
        value[i] = node_distance(field, own, at);
    }
    double sum = 0.0, slope[3] = {0};
    for (int i = 0; i < 8; i++) {
        double weight[3];
        for (int k = 0; k < 3; k++)
            weight[k] = i >> k & 1 ? part[k] : 1.0 - part[k];
        sum += weight[0] * weight[1] * weight[2] * value[i];
        for (int k = 0; k < 3; k++)
            slope[k] += (i >> k & 1 ? 1.0 : -1.0) * weight[(k + 1) % 3] * weight[(k + 2) % 3] * value[i] / grid_step;
    }
    if (gradient)
        memcpy(gradient, slope, sizeof slope);
    return sum;
}
