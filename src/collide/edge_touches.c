#include "collide/edge_touches.h"

#include <math.h>

#include "base/merge_sort.h"
#include "base/order.h"
#include "collide/broad_phase.h"
#include "collide/distance_curve.h"
#include "collide/mesh_space.h"
#include "collide/touch_merge_space.h"
#include "math/vector3.h"

/* TILTED: a corner of a solid can touch a face of a second solid only if no edge at the corner leads below this face at an angle
 * whose sine exceeds TILTED. If the second solid is a plane, a corner touches it at any angle. */
static const double TILTED = 0.3;

static bool is_edge(const cst_space_scene *scene, const cst_touch_space *touch)
{
    return scene->piece[touch->a].edge && touch->b >= scene->pieces;
}

/* Returns true if the contact normal is the normal of a face of the second solid. */
static bool on_face(const cst_space_scene *scene, const cst_touch_space *touch)
{
    const cst_solid *solid = &scene->solid[touch->b - scene->pieces];
    double n[3], face[3];
    cst_apply_transposed3(solid->frame, touch->normal, n);
    const double most = 1.0 - 1e-9;
    switch (solid->kind) {
    case CST_SOLID_PLANE:
        return true;
    case CST_SOLID_BOX:
        return fabs(n[0]) > most || fabs(n[1]) > most || fabs(n[2]) > most;
    case CST_SOLID_CYLINDER:
        return fabs(n[2]) > most;
    case CST_SOLID_MESH:
        cst_mesh_space_normal(solid->mesh, touch->part, face);
        return fabs(cst_dot3(n, face)) > most;
    case CST_SOLID_SPHERE:
    case CST_SOLID_CAPSULE:
        break;
    }
    return false;
}

/* Returns true if the ends x and y of two edges are the same corner. `length`: sum of their lengths. */
static bool same_corner(const double *x, const double *y, double length)
{
    double apart[3];
    cst_subtract3(x, y, apart);
    return cst_dot3(apart, apart) <= 1e-18 * length * length;
}

/* Finds the first and the last centreline piece of the body to which the edge `piece` belongs. */
static void range_of(const cst_space_scene *scene, int32_t piece, int32_t *first, int32_t *last)
{
    const int32_t owner = scene->piece[piece].owner;
    *first = *last = piece;
    while (*first > 0 && scene->piece[*first - 1].owner == owner)
        --*first;
    while (*last + 1 < scene->pieces && scene->piece[*last + 1].owner == owner)
        ++*last;
}

/* A search for all edges of a solid that share a corner with the edge `edge`. */
typedef struct corner_search {
    const cst_space_scene *scene;
    const cst_placed_piece *placed;
    int32_t edge, first, last;
    bool at[2]; /* searched ends of `edge` */
} corner_search;

static bool ends_there(const corner_search *search, int32_t other, int end)
{
    const cst_placed_piece *mine = &search->placed[search->edge], *its = &search->placed[other];
    if (!its->piece->edge || !its->usable || its->point)
        return false;
    for (int i = 0; i < 2; ++i)
        if (search->at[i] && same_corner(its->end[end], mine->end[i], its->piece->length + mine->piece->length))
            return true;
    return false;
}

/* Returns the least scalar product n.t of a unit vector n with the unit tangents t of the edges at one or both ends of the edge
 * search->edge. The field search->at selects these ends. `n`: unit normal of a contact or a face. `t`: unit tangent of an edge,
 * away from the corner. If both ends are selected, the edge search->edge itself is left out. */
static double least_slope(const corner_search *search, const double *n)
{
    const bool inside = search->at[0] && search->at[1];
    double least = INFINITY;
    for (int32_t i = search->first; i <= search->last; ++i)
        for (int end = 0; end < 2; ++end)
            if (!(inside && i == search->edge) && ends_there(search, i, end)) {
                const double slope = cst_dot3(n, search->placed[i].t[end]);
                least = fmin(least, end ? -slope : slope);
            }
    return least;
}

static void name_corner(const corner_search *search, cst_touch_space *touch)
{
    for (int32_t i = search->first; i <= search->last; ++i)
        for (int end = 0; end < 2; ++end)
            if (ends_there(search, i, end)) {
                touch->a = i;
                touch->s_a = end ? search->placed[i].piece->length : 0.0;
                return;
            }
}

/* Corrects the normal of a contact of an edge that is below or just above the surface of a box. A contact normal is suitable if
 * no edge at the selected ends (search->at) leads below the plane perpendicular to this normal at an angle whose sine exceeds
 * TILTED. An unsuitable contact normal is replaced by the normal of the nearest face of the box whose normal is suitable. Returns
 * false if the contact must be dropped: its point is not an end of its edge, and the angle between the edge and the chosen face
 * has a sine larger than TILTED. One end of such a steep edge is deeper than all its inner points. */
static bool choose_face(const corner_search *search, cst_touch_space *touch)
{
    const cst_space_scene *scene = search->scene;
    const cst_solid *solid = &scene->solid[touch->b - scene->pieces];
    const cst_piece *piece = &scene->piece[touch->a];
    if (solid->kind != CST_SOLID_BOX || touch->gap + piece->radius + solid->rounding > 1e-6 * piece->length ||
        least_slope(search, touch->normal) >= -TILTED)
        return true;
    double from[3], p[3], best = -INFINITY;
    cst_subtract3(touch->x_a, solid->position, from);
    cst_apply_transposed3(solid->frame, from, p);
    for (int face = 0; face < 6; ++face) {
        const int k = face / 2;
        const double sign = face % 2 ? -1.0 : 1.0, above = sign * p[k] - solid->size[k];
        const double n[3] = {sign * solid->frame[k], sign * solid->frame[3 + k], sign * solid->frame[6 + k]};
        if (above <= best || least_slope(search, n) < -TILTED)
            continue;
        best = above;
        for (int i = 0; i < 3; ++i) {
            touch->normal[i] = n[i];
            touch->x_b[i] = touch->x_a[i] - (above - solid->rounding) * n[i];
        }
        touch->gap = above - solid->rounding - piece->radius;
    }
    const bool inside = search->at[0] && search->at[1];
    return !inside || fabs(cst_dot3(touch->normal, search->placed[search->edge].t[0])) <= TILTED;
}

int cst_name_corners(const cst_space_scene *scene, const cst_placed_piece *placed, cst_touch_space *touch, int touches)
{
    int left = 0;
    for (int i = 0; i < touches; ++i) {
        if (is_edge(scene, &touch[i])) {
            const double length = scene->piece[touch[i].a].length, near = 1e-9 * length;
            corner_search search = {.scene = scene, .placed = placed, .edge = touch[i].a};
            range_of(scene, touch[i].a, &search.first, &search.last);
            search.at[0] = touch[i].s_a < length - near;
            search.at[1] = touch[i].s_a > near;
            if (!choose_face(&search, &touch[i]))
                continue;
            if (search.at[0] != search.at[1]) {
                const double level = fmax(CST_SPACE_LEVEL, scene->flat / length), least = least_slope(&search, touch[i].normal);
                const bool plane = scene->solid[touch[i].b - scene->pieces].kind == CST_SOLID_PLANE;
                if (!plane && least < -level && !(least > -TILTED && on_face(scene, &touch[i])))
                    continue;
                name_corner(&search, &touch[i]);
            }
        }
        touch[left++] = touch[i];
    }
    return left;
}

/* ------------------------------------------------------------------------------------------------------------- both sides */

/* A contact of an edge. `low`, `high`: the two bodies. `x`: midpoint between the surfaces. `about`: contacts of the same two
 * bodies count as one contact if their midpoints are at most `about` (m) apart. */
typedef struct edge_touch {
    int32_t low, high, index;
    double x[3], about;
    bool face;
} edge_touch;

static int by_owners(const void *one, const void *two)
{
    const edge_touch *p = one, *q = two;
    return cst_order_keys((int64_t[]){p->low, p->high, p->index}, (int64_t[]){q->low, q->high, q->index}, 3);
}

static edge_touch edge_touch_of(const cst_space_scene *scene, const cst_touch_space *touch, int32_t index)
{
    const cst_piece *piece = &scene->piece[touch->a];
    const cst_solid *solid = &scene->solid[touch->b - scene->pieces];
    const int32_t one = piece->owner, two = solid->owner;
    edge_touch out = {.low = one < two ? one : two, .high = one < two ? two : one, .index = index, .face = on_face(scene, touch)};
    for (int k = 0; k < 3; ++k)
        out.x[k] = 0.5 * (touch->x_a[k] - piece->radius * touch->normal[k] + touch->x_b[k]);
    /* if two solids penetrate each other, the contact point found from an edge of the first solid and the same contact point
     * found from an edge of the second solid are about the penetration depth apart */
    out.about = fmin(0.1 * piece->length, 1e-3 * piece->radius + 1e-6 * piece->length + 2.0 * fmax(0.0, -touch->gap));
    return out;
}

/* Returns true if the first of two contacts at the same point is dropped, false if the second is dropped. */
static bool goes_first(const edge_touch *one, const edge_touch *two)
{
    return one->face != two->face ? two->face : one->index > two->index;
}

static void drop_doubles(const edge_touch *edge, int edges, uint8_t *dropped)
{
    for (int i = 0; i < edges; ++i)
        for (int j = i + 1; j < edges && edge[j].low == edge[i].low && edge[j].high == edge[i].high; ++j) {
            double apart[3];
            cst_subtract3(edge[i].x, edge[j].x, apart);
            const double about = fmin(edge[i].about, edge[j].about);
            if (dropped[edge[i].index] || dropped[edge[j].index] || cst_dot3(apart, apart) > about * about)
                continue;
            dropped[goes_first(&edge[i], &edge[j]) ? edge[i].index : edge[j].index] = 1;
        }
}

int cst_merge_edge_touches(const cst_space_scene *scene, cst_touch_space *touch, int touches, cst_arena *arena)
{
    int edges = 0;
    for (int i = 0; i < touches; ++i)
        edges += is_edge(scene, &touch[i]);
    if (edges == 0)
        return touches;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    edge_touch *edge = CST_TAKE_RAW(arena, edge_touch, cst_roomy(edges)),
               *scratch = CST_TAKE_RAW(arena, edge_touch, cst_roomy(edges));
    uint8_t *dropped = CST_TAKE(arena, uint8_t, cst_roomy(touches));
    if (arena->failed)
        return -1;
    edges = 0;
    for (int i = 0; i < touches; ++i)
        if (is_edge(scene, &touch[i]))
            edge[edges++] = edge_touch_of(scene, &touch[i], i);
    cst_merge_sort(edge, scratch, (size_t)edges, sizeof *edge, by_owners);
    drop_doubles(edge, edges, dropped);
    const int left = cst_touches_kept(touch, touches, dropped);
    cst_arena_release(arena, mark);
    return left;
}
