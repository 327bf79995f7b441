/* Rods, rings and polygons as arcs, and one call to detect their contacts. */
#ifndef CST_TESTS_COLLIDE_FIXTURE_H
#define CST_TESTS_COLLIDE_FIXTURE_H

#include <math.h>

#include "collide/detect_plane.h"
#include "tests/arc_oracle.h"

enum { FIXTURE_ARCS = 4096, FIXTURE_OWNERS = 256 };

typedef struct collide_scene {
    cst_arc arc[FIXTURE_ARCS];
    double margin[FIXTURE_ARCS];
    cst_half_plane plane[8];
    uint8_t flags[FIXTURE_OWNERS];
    cst_plane_scene scene;
    cst_detector detector;
    const cst_touch *touch;
    int touches;
} collide_scene;

static inline void fixture_begin(collide_scene *s)
{
    s->scene =
        (cst_plane_scene){.arc = s->arc, .margin = s->margin, .half_plane = s->plane, .owner_flags = s->flags, .threads = 1};
    cst_detector_begin(&s->detector, NULL);
}

static inline void fixture_clear(collide_scene *s)
{
    s->scene.arcs = s->scene.half_planes = s->scene.owners = 0;
}

/* A chain of elements of equal length from x; k NULL: straight. Returns its owner. */
static inline int fixture_rod(collide_scene *s, const double *x, double angle, const double *k, int elements, double length,
                              double radius, double margin, bool closed)
{
    const int owner = s->scene.owners++;
    s->flags[owner] = 0;
    cst_arc next = {.x = {x[0], x[1]},
                    .angle = angle,
                    .l = length,
                    .radius = radius,
                    .owner = owner,
                    .owner_length = elements * length,
                    .owner_closed = closed};
    for (int e = 0; e < elements; ++e) {
        next.k = k ? k[e] : 0.0;
        next.feature = e;
        next.s = e * length;
        s->margin[s->scene.arcs] = margin;
        s->arc[s->scene.arcs++] = next;
        const oracle_point end = oracle_at(&next, length);
        next.x[0] = (double)end.x[0];
        next.x[1] = (double)end.x[1];
        next.angle += next.k * length;
    }
    return owner;
}

static inline int fixture_disk(collide_scene *s, double x, double y, double radius, double margin)
{
    const int owner = s->scene.owners++;
    s->flags[owner] = 0;
    s->margin[s->scene.arcs] = margin;
    s->arc[s->scene.arcs++] = (cst_arc){.x = {x, y}, .radius = radius, .owner = owner};
    return owner;
}

/* Matter on the right of the closed path through the corners. */
static inline int fixture_polygon(collide_scene *s, const double (*corner)[2], int corners, double radius, double margin)
{
    const int owner = s->scene.owners++, first = s->scene.arcs;
    s->flags[owner] = 0;
    double along = 0.0;
    for (int i = 0; i < corners; ++i) {
        const double *p = corner[i], *q = corner[(i + 1) % corners];
        const double l = hypot(q[0] - p[0], q[1] - p[1]);
        s->margin[s->scene.arcs] = margin;
        s->arc[s->scene.arcs++] = (cst_arc){.x = {p[0], p[1]},
                                            .angle = atan2(q[1] - p[1], q[0] - p[0]),
                                            .l = l,
                                            .radius = radius,
                                            .owner = owner,
                                            .feature = i,
                                            .s = along,
                                            .owner_closed = true,
                                            .solid = true};
        along += l;
    }
    for (int i = first; i < s->scene.arcs; ++i)
        s->arc[i].owner_length = along;
    return owner;
}

static inline int fixture_plane(collide_scene *s, double nx, double ny, double height)
{
    const int owner = s->scene.owners++;
    s->flags[owner] = CST_OWNER_FIXED;
    s->plane[s->scene.half_planes++] = (cst_half_plane){.normal = {nx, ny}, .height = height, .owner = owner};
    return owner;
}

static inline int fixture_detect(collide_scene *s)
{
    s->touches = cst_detect_plane(&s->detector, &s->scene, &s->touch);
    return s->touches;
}

/* Field by field: what is between fields has no meaning. */
static inline bool fixture_same(const cst_touch *t, const cst_touch *u)
{
    return t->a == u->a && t->b == u->b && t->s_a == u->s_a && t->s_b == u->s_b && t->normal[0] == u->normal[0] &&
           t->normal[1] == u->normal[1] && t->gap == u->gap && t->branch == u->branch;
}

/* Arc length of the owner at a touch. */
static inline double fixture_s_a(const collide_scene *s, const cst_touch *touch)
{
    return s->arc[touch->a].s + touch->s_a;
}

static inline double fixture_s_b(const collide_scene *s, const cst_touch *touch)
{
    return s->arc[touch->b].s + touch->s_b;
}

#endif
