/* Helical fibers, straight rods, balls and solids in space, one call to detect their contacts, and the minima of the distance of
 * two curves by brute force. */
#ifndef CST_TESTS_SPACE_FIXTURE_H
#define CST_TESTS_SPACE_FIXTURE_H

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "collide/detect_space.h"
#include "math/vector3.h"

/* One element of constant curvatures: it turns about `turn` (in space) by |turn| per length. */
typedef struct fixture_element {
    double x[3], t[3], turn[3];
    double length;
} fixture_element;

static inline void fixture_element_at(const fixture_element *e, double s, double *x, double *t)
{
    const double w = sqrt(cst_dot3(e->turn, e->turn));
    double axis[3] = {0.0, 0.0, 0.0}, across[3];
    for (int k = 0; k < 3 && w > 0.0; ++k)
        axis[k] = e->turn[k] / w;
    const double along = cst_dot3(axis, e->t);
    cst_cross3(axis, e->t, across);
    const double sine = sin(w * s), half = sin(0.5 * w * s), versine = 2.0 * half * half;
    for (int k = 0; k < 3; ++k) {
        const double off = e->t[k] - along * axis[k];
        x[k] = e->x[k] + (w > 0.0 ? s * along * axis[k] + sine / w * off + versine / w * across[k] : s * e->t[k]);
        if (t)
            t[k] = e->t[k] - versine * off + sine * across[k];
    }
}

static inline void fixture_curve_at(const void *user, int feature, double s, double *x, double *t)
{
    fixture_element_at((const fixture_element *)user + feature, s, x, t);
}

/* The shapes of the elements as they are now: to be called before each search for contacts, after elements have moved. */
static inline void fixture_take_shapes(const fixture_element *e, int elements, cst_piece_shape *out)
{
    memset(out, 0, (size_t)elements * sizeof *out);
    for (int i = 0; i < elements; ++i) {
        memcpy(out[i].pose, e[i].t, sizeof e->t);
        memcpy(out[i].pose + 3, e[i].turn, sizeof e->turn);
    }
}

/* Since t' = w x t, points went by D with |D''| <= |dw| + |w| (|dt| + s |dw|): off a quarter's chord by its square / 8 of that. */
static inline double fixture_curve_drift(double length, const double *was, const double *is)
{
    double dt[3], dw[3];
    cst_subtract3(is, was, dt);
    cst_subtract3(is + 3, was + 3, dw);
    const double turned = sqrt(cst_dot3(dt, dt)), by = sqrt(cst_dot3(dw, dw)), h = length / CST_QUARTERS;
    return 0.125 * h * h * (by + sqrt(cst_dot3(was + 3, was + 3)) * (turned + length * by));
}

static inline double fixture_curvature(const fixture_element *e)
{
    double across[3];
    cst_cross3(e->turn, e->t, across);
    return sqrt(cst_dot3(across, across));
}

enum { FIXTURE_PIECES = 20000, FIXTURE_OWNERS = 20100, FIXTURE_SOLIDS = 64 };

typedef struct space_fixture {
    fixture_element element[FIXTURE_PIECES];
    cst_piece piece[FIXTURE_PIECES];
    cst_piece_shape shape[FIXTURE_PIECES];
    double margin[FIXTURE_PIECES];
    cst_solid solid[FIXTURE_SOLIDS];
    double solid_margin[FIXTURE_SOLIDS];
    cst_curve_view curve[FIXTURE_OWNERS];
    uint8_t flags[FIXTURE_OWNERS];
    cst_space_scene scene;
    cst_detector detector;
    const cst_touch_space *touch;
    int touches;
} space_fixture;

static inline void fixture_begin(space_fixture *f)
{
    f->scene = (cst_space_scene){.piece = f->piece,
                                 .shape = f->shape,
                                 .margin = f->margin,
                                 .solid = f->solid,
                                 .solid_margin = f->solid_margin,
                                 .curve = f->curve,
                                 .owner_flags = f->flags,
                                 .threads = 1};
    cst_detector_begin(&f->detector, NULL);
}

static inline void fixture_clear(space_fixture *f)
{
    f->scene.pieces = f->scene.solids = f->scene.owners = 0;
    f->scene.flat = f->scene.solid_depth = 0.0;
}

static inline int fixture_owner(space_fixture *f)
{
    const int owner = f->scene.owners++;
    f->flags[owner] = 0;
    f->curve[owner] =
        (cst_curve_view){.at = fixture_curve_at, .drift = fixture_curve_drift, .user = f->element + f->scene.pieces};
    return owner;
}

/* An element as the next piece of the last owner. */
static inline void fixture_add(space_fixture *f, const fixture_element *e, double radius, double margin)
{
    const int index = f->scene.pieces++, owner = f->scene.owners - 1;
    const bool goes_on = index > 0 && f->piece[index - 1].owner == owner;
    f->element[index] = *e;
    f->margin[index] = margin;
    f->piece[index] = (cst_piece){.owner = owner,
                                  .feature = goes_on ? f->piece[index - 1].feature + 1 : 0,
                                  .length = e->length,
                                  .radius = radius,
                                  .curvature = fixture_curvature(e),
                                  .s = goes_on ? f->piece[index - 1].s + f->piece[index - 1].length : 0.0};
}

/* Lays the second element beside the first one, at most `reach` to one side: nearly the same shape and the same direction, so that the
 * distance hardly changes along the two curves. */
static inline void fixture_lay_beside(space_fixture *f, cst_rng *rng, double reach)
{
    const fixture_element *a = &f->element[0];
    fixture_element *b = &f->element[1];
    const double differs = cst_rng_log_range(rng, 1e-6, 1e-2), away = cst_rng_uniform(rng) * reach;
    double off[3], turned[3];
    *b = *a;
    cst_rng_direction(rng, 3, off);
    cst_add3(-cst_dot3(off, a->t), a->t, off);
    cst_normalise3(off);
    cst_rng_direction(rng, 3, turned);
    for (int k = 0; k < 3; ++k) {
        b->x[k] += away * off[k];
        b->t[k] += differs * turned[k];
        b->turn[k] *= 1.0 + differs * cst_rng_range(rng, -1.0, 1.0);
    }
    cst_normalise3(b->t);
    f->piece[1].length = b->length;
    f->piece[1].curvature = fixture_curvature(b);
}

/* A straight rod or an edge of one from p to q, as an owner of its own. */
static inline int fixture_straight(space_fixture *f, const double *p, const double *q, double radius, double margin)
{
    const int owner = fixture_owner(f);
    fixture_element e = {.x = {p[0], p[1], p[2]}};
    cst_subtract3(q, p, e.t);
    e.length = cst_normalise3(e.t);
    fixture_add(f, &e, radius, margin);
    return owner;
}

/* A chain of straight edges through points, as one owner. */
static inline int fixture_chain(space_fixture *f, const double *x, int points, double radius, double margin, bool closed)
{
    const int owner = fixture_owner(f), first = f->scene.pieces, edges = closed ? points : points - 1;
    for (int i = 0; i < edges; ++i) {
        fixture_element e = {.x = {x[3 * i], x[3 * i + 1], x[3 * i + 2]}};
        cst_subtract3(x + 3 * ((i + 1) % points), x + 3 * i, e.t);
        e.length = cst_normalise3(e.t);
        fixture_add(f, &e, radius, margin);
    }
    const cst_piece *last = &f->piece[f->scene.pieces - 1];
    for (int i = first; i < f->scene.pieces; ++i) {
        f->piece[i].owner_length = last->s + last->length;
        f->piece[i].owner_closed = closed;
    }
    return owner;
}

static inline cst_solid *fixture_solid(space_fixture *f, cst_solid_kind kind, double a, double b, double c)
{
    const int index = f->scene.solids++, owner = f->scene.owners++;
    f->flags[owner] = CST_OWNER_FIXED;
    f->solid_margin[index] = 0.0;
    f->solid[index] =
        (cst_solid){.owner = owner, .kind = kind, .size = {a, b, c}, .frame = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    return &f->solid[index];
}

static inline int fixture_detect(space_fixture *f)
{
    fixture_take_shapes(f->element, f->scene.pieces, f->shape);
    return f->touches = cst_detect_space(&f->detector, &f->scene, &f->touch);
}

/* A rotation from a random direction and angle. */
static inline void fixture_rotation(cst_rng *rng, double *R)
{
    double u[3], v[3], w[3];
    cst_rng_direction(rng, 3, u);
    do {
        cst_rng_direction(rng, 3, v);
        cst_add3(-cst_dot3(u, v), u, v);
    } while (cst_normalise3(v) < 0.1);
    cst_cross3(u, v, w);
    for (int k = 0; k < 3; ++k) {
        R[3 * k] = u[k];
        R[3 * k + 1] = v[k];
        R[3 * k + 2] = w[k];
    }
}

static inline void fixture_random_element(cst_rng *rng, double length, double bend, double twist, fixture_element *out)
{
    for (int k = 0; k < 3; ++k)
        out->x[k] = cst_rng_range(rng, -0.5, 0.5);
    cst_rng_direction(rng, 3, out->t);
    double side[3];
    cst_rng_direction(rng, 3, side);
    cst_cross3(out->t, side, out->turn);
    cst_normalise3(out->turn);
    for (int k = 0; k < 3; ++k)
        out->turn[k] = out->turn[k] * bend + out->t[k] * twist;
    out->length = length;
}

/* --------------------------------------------------------------------------------------------------------------- oracle */

/* Elements that follow each other, by arc length. */
typedef struct oracle_curve {
    const fixture_element *element;
    int elements;
    double length;
} oracle_curve;

static inline oracle_curve oracle_of(const fixture_element *element, int elements)
{
    oracle_curve curve = {.element = element, .elements = elements};
    for (int i = 0; i < elements; ++i)
        curve.length += element[i].length;
    return curve;
}

static inline void oracle_at(const oracle_curve *c, double s, double *x)
{
    int i = 0;
    for (; i + 1 < c->elements && s > c->element[i].length; ++i)
        s -= c->element[i].length;
    fixture_element_at(&c->element[i], s, x, NULL);
}

static inline double oracle_distance(const oracle_curve *a, double s, const oracle_curve *b, double t)
{
    double x[3], y[3], r[3];
    oracle_at(a, s, x);
    oracle_at(b, t, y);
    cst_subtract3(x, y, r);
    return sqrt(cst_dot3(r, r));
}

/* Goes down from (s, t) in steps of sixteen directions that shrink, to 1e-10 of the lengths. */
static inline double oracle_descend(const oracle_curve *a, const oracle_curve *b, double *s, double *t, double step)
{
    double least = oracle_distance(a, *s, b, *t);
    while (step > 1e-10) {
        bool better = false;
        for (int i = 0; i < 16; ++i) {
            const double angle = 0.39269908169872414 * i;
            const double p = fmax(0.0, fmin(a->length, *s + step * a->length * cos(angle)));
            const double q = fmax(0.0, fmin(b->length, *t + step * b->length * sin(angle)));
            const double here = oracle_distance(a, p, b, q);
            if (here < least) {
                least = here;
                *s = p;
                *t = q;
                better = true;
            }
        }
        if (!better)
            step *= 0.5;
    }
    return least;
}

typedef struct oracle_minimum {
    double s, t, distance;
} oracle_minimum;

enum { ORACLE_GRID = 48, ORACLE_MINIMA = 64 };

/* Local minima of the distance below `reach`, from the local minima of a grid; some are given twice. */
static inline int oracle_minima(const oracle_curve *a, const oracle_curve *b, double reach, oracle_minimum *out)
{
    static double x[ORACLE_GRID + 1][3], y[ORACLE_GRID + 1][3], d[ORACLE_GRID + 1][ORACLE_GRID + 1];
    for (int i = 0; i <= ORACLE_GRID; ++i) {
        oracle_at(a, a->length * i / ORACLE_GRID, x[i]);
        oracle_at(b, b->length * i / ORACLE_GRID, y[i]);
    }
    for (int i = 0; i <= ORACLE_GRID; ++i)
        for (int j = 0; j <= ORACLE_GRID; ++j) {
            double r[3];
            cst_subtract3(x[i], y[j], r);
            d[i][j] = sqrt(cst_dot3(r, r));
        }
    int count = 0;
    const double near = reach + 0.75 * (a->length + b->length) / ORACLE_GRID;
    for (int i = 0; i <= ORACLE_GRID; ++i)
        for (int j = 0; j <= ORACLE_GRID; ++j) {
            bool least = d[i][j] < near;
            for (int p = i - 1; p <= i + 1 && least; ++p)
                for (int q = j - 1; q <= j + 1; ++q)
                    if (p >= 0 && q >= 0 && p <= ORACLE_GRID && q <= ORACLE_GRID && d[p][q] < d[i][j])
                        least = false;
            if (!least || count == ORACLE_MINIMA)
                continue;
            oracle_minimum m = {.s = a->length * i / ORACLE_GRID, .t = b->length * j / ORACLE_GRID};
            m.distance = oracle_descend(a, b, &m.s, &m.t, 1.0 / ORACLE_GRID);
            if (m.distance < reach)
                out[count++] = m;
        }
    return count;
}

#endif
