/* Random pairs of arcs of every kind, and brute force on them: grid, projected Newton from every local minimum of the grid.
 *
 * Nothing is shared with src/collide: positions are computed in long double from the definition. The grid alone misses minima; it
 * is a lower bound on what must be found, not a list of all. Shared by tests/test_collide_arcs.c and validate/detection/arcs.c. */
#ifndef CST_TESTS_ARC_ORACLE_H
#define CST_TESTS_ARC_ORACLE_H

#include <math.h>
#include <stdbool.h>

#include "base/rng.h"
#include "collide/shape.h"

#define ORACLE_PI 3.14159265358979323846264338327950288L

typedef struct oracle_point {
    long double x[2], t[2];
} oracle_point;

/* x + int_0^s (cos, sin)(angle + k s'). */
static inline oracle_point oracle_at(const cst_arc *arc, long double s)
{
    const long double half = 0.5L * arc->k * s, sinc = half == 0.0L ? 1.0L : sinl(half) / half;
    const long double chord = arc->angle + half, end = arc->angle + (long double)arc->k * s;
    return (oracle_point){.x = {arc->x[0] + s * sinc * cosl(chord), arc->x[1] + s * sinc * sinl(chord)},
                          .t = {cosl(end), sinl(end)}};
}

static inline long double oracle_distance(const cst_arc *a, long double s, const cst_arc *b, long double t)
{
    const oracle_point p = oracle_at(a, s), q = oracle_at(b, t);
    return hypotl(p.x[0] - q.x[0], p.x[1] - q.x[1]);
}

/* ------------------------------------------------------------------------------------------------------------ random arcs */

typedef enum oracle_family {
    ORACLE_ANY = 0,
    ORACLE_NEARLY_STRAIGHT,
    ORACLE_CLOSED,
    ORACLE_POINT,
    ORACLE_PARALLEL,
    ORACLE_CONCENTRIC,
    ORACLE_TANGENT,
    ORACLE_CROSSING,
    ORACLE_FAMILIES
} oracle_family;

static inline const char *oracle_family_name(oracle_family family)
{
    static const char *const name[] = {"any",      "nearly straight", "closed circle", "point",
                                       "parallel", "concentric",      "tangent",       "crossing"};
    return name[family];
}

static inline double oracle_turn(cst_rng *rng)
{
    const double sign = cst_rng_integer(rng, 2) ? 1.0 : -1.0;
    switch (cst_rng_integer(rng, 5)) {
    case 0:
        return 0.0;
    case 1:
        return sign * cst_rng_log_range(rng, 1e-14, 1e-2);
    case 2:
        return sign * cst_rng_uniform(rng);
    case 3:
        return sign * cst_rng_range(rng, 1.0, (double)ORACLE_PI);
    default:
        return sign * cst_rng_range(rng, (double)ORACLE_PI, 2.0 * (double)ORACLE_PI);
    }
}

static inline cst_arc oracle_arc(cst_rng *rng, double turn)
{
    cst_arc arc = {.owner_length = 0.0};
    arc.x[0] = cst_rng_range(rng, -0.6, 0.6);
    arc.x[1] = cst_rng_range(rng, -0.6, 0.6);
    arc.angle = cst_rng_range(rng, -3.2, 3.2);
    arc.l = cst_rng_log_range(rng, 0.1, 2.0);
    arc.k = turn / arc.l;
    arc.radius = cst_rng_log_range(rng, 1e-3, 0.1);
    arc.owner_length = arc.l;
    return arc;
}

/* Begins the arc at a point of another, shifted to the left of it, turned by an angle. */
static inline void oracle_put_at(cst_arc *arc, const cst_arc *other, double s, double shift, double angle)
{
    const oracle_point p = oracle_at(other, s);
    arc->x[0] = (double)(p.x[0] - shift * p.t[1]);
    arc->x[1] = (double)(p.x[1] + shift * p.t[0]);
    arc->angle = other->angle + other->k * s + angle;
}

/* Moves the start of the arc back by so much of its length along itself: what was its start is inside now. */
static inline void oracle_run_back(cst_arc *arc, double by)
{
    cst_arc reverse = *arc;
    reverse.angle += (double)ORACLE_PI;
    reverse.k = -arc->k;
    const oracle_point start = oracle_at(&reverse, by);
    arc->x[0] = (double)start.x[0];
    arc->x[1] = (double)start.x[1];
    arc->angle -= arc->k * by;
}

static inline void oracle_pair(cst_rng *rng, oracle_family family, cst_arc *a, cst_arc *b)
{
    const double turn_a = oracle_turn(rng), turn_b = oracle_turn(rng);
    *a = oracle_arc(rng, turn_a);
    *b = oracle_arc(rng, turn_b);
    const double along = cst_rng_uniform(rng), shift = cst_rng_range(rng, -0.3, 0.3), tiny = cst_rng_log_range(rng, 1e-16, 1e-3);
    const int choice = cst_rng_integer(rng, 4);
    switch (family) {
    case ORACLE_NEARLY_STRAIGHT:
        a->k = (choice & 1 ? tiny : -tiny) / a->l;
        b->k = (choice & 2 ? 0.0 : -1e-14) / b->l;
        break;
    case ORACLE_CLOSED: /* whole turns, to rounding */
        a->k = (choice & 1 ? 2.0 : -2.0) * (double)ORACLE_PI / a->l;
        if (choice & 2)
            b->k = 2.0 * (double)ORACLE_PI / b->l;
        break;
    case ORACLE_POINT:
        b->l = 0.0;
        b->owner_length = 0.0;
        break;
    case ORACLE_PARALLEL: /* straight, to a tiny angle or exactly */
        a->k = b->k = 0.0;
        oracle_put_at(b, a, along * a->l, shift, (choice & 1 ? (double)ORACLE_PI : 0.0) + (choice & 2 ? tiny : 0.0));
        break;
    case ORACLE_CONCENTRIC: {
        a->k = (choice & 1 ? 1.0 : -1.0) * cst_rng_range(rng, 0.5, 3.0);
        oracle_put_at(b, a, along * a->l, shift, 0.0);
        b->k = a->k / (1.0 - shift * a->k) * (choice & 2 ? 1.0 : 1.0 + tiny);
        break;
    }
    case ORACLE_TANGENT: /* at the start of b, or inside */
        oracle_put_at(b, a, along * a->l, 0.0, choice & 1 ? 0.0 : (double)ORACLE_PI);
        if (choice & 2)
            oracle_run_back(b, cst_rng_uniform(rng) * b->l);
        break;
    case ORACLE_CROSSING:
        oracle_put_at(b, a, along * a->l, 0.0, cst_rng_range(rng, 0.05, 3.1));
        oracle_run_back(b, cst_rng_uniform(rng) * b->l);
        break;
    default:
        break;
    }
}

/* ------------------------------------------------------------------------------------------------------------ brute force */

enum { ORACLE_GRID = 24, ORACLE_MINIMA = 32 };

typedef struct oracle_minimum {
    double s, t, distance;
    bool flat; /* the minimum is hardly one in some direction */
} oracle_minimum;

static inline double oracle_clamp(double x, double high)
{
    return x < 0.0 ? 0.0 : x > high ? high : x;
}

/* Newton on |x_a - x_b|^2 / 2 in the box, steepest descent where even the tangents are parallel. */
static inline void oracle_descend(const cst_arc *a, const cst_arc *b, oracle_minimum *m)
{
    for (int iteration = 0; iteration < 200; ++iteration) {
        const oracle_point p = oracle_at(a, m->s), q = oracle_at(b, m->t);
        const double e[2] = {(double)(p.x[0] - q.x[0]), (double)(p.x[1] - q.x[1])};
        const double tp[2] = {(double)p.t[0], (double)p.t[1]}, tq[2] = {(double)q.t[0], (double)q.t[1]};
        const double g[2] = {e[0] * tp[0] + e[1] * tp[1], -e[0] * tq[0] - e[1] * tq[1]};
        double h11 = 1.0 + a->k * (e[1] * tp[0] - e[0] * tp[1]), h22 = 1.0 - b->k * (e[1] * tq[0] - e[0] * tq[1]);
        const double h12 = -tp[0] * tq[0] - tp[1] * tq[1];
        if (h11 <= 0.0 || h22 <= 0.0 || h11 * h22 - h12 * h12 <= 1e-14) /* not convex: without the curvatures (Gauss-Newton) */
            h11 = h22 = 1.0;
        const bool hold_s = (m->s <= 0.0 && g[0] > 0.0) || (m->s >= a->l && g[0] < 0.0);
        const bool hold_t = (m->t <= 0.0 && g[1] > 0.0) || (m->t >= b->l && g[1] < 0.0);
        double step[2] = {hold_s ? 0.0 : -g[0], hold_t ? 0.0 : -g[1]};
        const double det = h11 * h22 - h12 * h12;
        if (!hold_s && !hold_t && h11 > 0.0 && det > 1e-14) {
            step[0] = (-h22 * g[0] + h12 * g[1]) / det;
            step[1] = (h12 * g[0] - h11 * g[1]) / det;
        } else if (hold_t && !hold_s && h11 > 1e-14) {
            step[0] = -g[0] / h11;
        } else if (hold_s && !hold_t && h22 > 1e-14) {
            step[1] = -g[1] / h22;
        }
        const double now = e[0] * e[0] + e[1] * e[1];
        bool moved = false;
        for (double length = 1.0; length > 1e-6 && !moved; length *= 0.5) {
            const double s = oracle_clamp(m->s + length * step[0], a->l), t = oracle_clamp(m->t + length * step[1], b->l);
            const long double d = oracle_distance(a, s, b, t);
            if ((double)(d * d) < now) {
                moved = true;
                m->s = s;
                m->t = t;
            }
        }
        if (!moved)
            break;
    }
    m->distance = (double)oracle_distance(a, m->s, b, m->t);
}

/* The least distance at some steps around, within the arcs: in a ring, and along the valley of two arcs side by side. `by` is relative
 * to the lengths. */
static inline double oracle_around(const cst_arc *a, const cst_arc *b, double s, double t, double by)
{
    double least = INFINITY;
    for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j)
            if (i || j)
                least = fmin(least, (double)oracle_distance(a, oracle_clamp(s + i * by * a->l, a->l), b,
                                                            oracle_clamp(t + j * by * b->l, b->l)));
    const oracle_point p = oracle_at(a, s), q = oracle_at(b, t);
    const double e[2] = {(double)(p.x[0] - q.x[0]), (double)(p.x[1] - q.x[1])};
    const double h11 = 1.0 + a->k * (double)(e[1] * p.t[0] - e[0] * p.t[1]),
                 h22 = 1.0 - b->k * (double)(e[1] * q.t[0] - e[0] * q.t[1]);
    const double side = (double)(p.t[0] * q.t[0] + p.t[1] * q.t[1]), shorter = by * fmin(a->l, b->l);
    for (int i = -1; i <= 1; i += 2) {
        const double ds = i * shorter, dt = h22 > 0.1 ? side * ds / h22 : 0.0, es = h11 > 0.1 ? side * ds / h11 : 0.0;
        least = fmin(least, (double)oracle_distance(a, oracle_clamp(s + ds, a->l), b, oracle_clamp(t + dt, b->l)));
        least = fmin(least, (double)oracle_distance(a, oracle_clamp(s + es, a->l), b, oracle_clamp(t + ds, b->l)));
    }
    return least;
}

/* Is the distance the same, to far below what is asked for, some way along the valley? */
static inline bool oracle_flat(const cst_arc *a, const cst_arc *b, const oracle_minimum *m)
{
    const oracle_point p = oracle_at(a, m->s), q = oracle_at(b, m->t);
    const double e[2] = {(double)(p.x[0] - q.x[0]), (double)(p.x[1] - q.x[1])};
    const double h11 = 1.0 + a->k * (double)(e[1] * p.t[0] - e[0] * p.t[1]),
                 h22 = 1.0 - b->k * (double)(e[1] * q.t[0] - e[0] * q.t[1]);
    const double side = (double)(p.t[0] * q.t[0] + p.t[1] * q.t[1]),
                 step = 1e-3 * fmin(a->l > 0.0 ? a->l : b->l, b->l > 0.0 ? b->l : a->l);
    for (int i = -1; i <= 1; i += 2) {
        const double move[2][2] = {{i * step, h22 > 1e-9 ? side * i * step / h22 : 0.0},
                                   {h11 > 1e-9 ? side * i * step / h11 : 0.0, i * step}};
        for (int j = 0; j < 2; ++j) {
            const double s = m->s + move[j][0], t = m->t + move[j][1];
            if (s < 0.0 || s > a->l || t < 0.0 || t > b->l)
                continue;
            if (fabs((double)oracle_distance(a, s, b, t) - m->distance) < 1e-11)
                return true;
        }
    }
    return false;
}

/* Local minima with distance below `reach`, those the grid leads to. */
static inline int oracle_minima(const cst_arc *a, const cst_arc *b, double reach, oracle_minimum *out)
{
    double pa[ORACLE_GRID][2], pb[ORACLE_GRID][2], d2[ORACLE_GRID][ORACLE_GRID];
    for (int i = 0; i < ORACLE_GRID; ++i) {
        const oracle_point p = oracle_at(a, a->l * i / (ORACLE_GRID - 1)), q = oracle_at(b, b->l * i / (ORACLE_GRID - 1));
        for (int k = 0; k < 2; ++k) {
            pa[i][k] = (double)p.x[k];
            pb[i][k] = (double)q.x[k];
        }
    }
    for (int i = 0; i < ORACLE_GRID; ++i)
        for (int j = 0; j < ORACLE_GRID; ++j)
            d2[i][j] = (pa[i][0] - pb[j][0]) * (pa[i][0] - pb[j][0]) + (pa[i][1] - pb[j][1]) * (pa[i][1] - pb[j][1]);
    const double spacing = (a->l + b->l) / (ORACLE_GRID - 1);
    int count = 0;
    for (int i = 0; i < ORACLE_GRID; ++i)
        for (int j = 0; j < ORACLE_GRID && count < ORACLE_MINIMA; ++j) {
            bool least = d2[i][j] < (reach + spacing) * (reach + spacing);
            for (int u = i > 0 ? i - 1 : 0; least && u <= i + 1 && u < ORACLE_GRID; ++u)
                for (int v = j > 0 ? j - 1 : 0; least && v <= j + 1 && v < ORACLE_GRID; ++v)
                    least = d2[u][v] >= d2[i][j];
            if (!least)
                continue;
            oracle_minimum m = {.s = a->l * i / (ORACLE_GRID - 1), .t = b->l * j / (ORACLE_GRID - 1)};
            oracle_descend(a, b, &m);
            /* A saddle, or not arrived: not a witness. */
            bool arrived = m.distance < reach;
            for (double by = 1e-6; arrived && by < 2e-2; by *= 10.0)
                arrived = oracle_around(a, b, m.s, m.t, by) >= m.distance - 1e-14;
            if (!arrived)
                continue;
            m.flat = oracle_flat(a, b, &m);
            out[count++] = m;
        }
    return count;
}

#endif
