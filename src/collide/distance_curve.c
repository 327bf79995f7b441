#include "collide/distance_curve.h"

#include <float.h>
#include <string.h>

#include "base/simd.h"
#include "collide/curve_apart.h"
#include "collide/curve_pair.h"
#include "collide/curve_valley.h"
#include "collide/fold.h"
#include "math/vector3.h"

enum { NEWTON_MOST = 40, HALVINGS = 6 };
/* BEYOND: length by which a search extends into the neighbouring segments, as a share of a segment's length */
static const double BEYOND = 0.125;
/* APART: a minimum of the distance that lies outside a segment by more than APART times the segment's length is left to the
 * search of the neighbouring segment */
static const double APART = 0.08;

/* fmax and fmin are function calls */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

double cst_side_s(const cst_curve_side *side, double u)
{
    return fmax(0.0, fmin(side->piece->piece->length, cst_segment_s(side->segment, u)));
}

void cst_side_at(const cst_curve_side *side, double u, double *s, double *x, double *t)
{
    const cst_placed_piece *p = side->piece;
    *s = cst_side_s(side, u);
    if (p->straight) {
        for (int k = 0; k < 3; ++k) {
            x[k] = side->segment->x[0][k] + u * side->segment->m[0][k];
            t[k] = p->t[0][k];
        }
        return;
    }
    p->view->at(p->view->user, p->piece->feature, *s, x, t);
}

cst_on_piece cst_side_place(const cst_curve_side *side, double u)
{
    if (side->segment->rank == 0 && u <= 0.0)
        return CST_PIECE_START;
    return side->segment->rank + 1 == side->piece->count && u >= 1.0 ? CST_PIECE_END : CST_PIECE_INSIDE;
}

bool cst_piece_rests(const cst_placed_piece *piece, cst_on_piece at, const double *n, double level)
{
    if (piece->point || at == CST_PIECE_INSIDE)
        return true;
    if (at == CST_PIECE_END)
        return piece->next < 0 && -cst_dot3(n, piece->t[1]) >= -level;
    return cst_dot3(n, piece->t[0]) >= -level && (piece->prev < 0 || -cst_dot3(n, piece->before) >= -level);
}

/* Returns true if the point on curve i is at a bound of its search interval, and the distance would decrease or stay equal beyond
 * this bound. */
static bool held(const cst_curve_pair *pair, const cst_meeting *m, int i)
{
    return (m->u[i] <= pair->low[i] && m->g[i] >= 0.0) || (m->u[i] >= pair->high[i] && m->g[i] <= 0.0);
}

static double step_of_one(const cst_meeting *m, int i)
{
    const double least = 0.1 * m->speed[i], h = i ? m->h11 : m->h00;
    const double curve = larger(h, least);
    return curve > 0.0 ? -m->g[i] / curve : 0.0;
}

/* Computes a Newton step where half the squared distance is not convex. Each eigenvalue of the Hessian is replaced by its
 * absolute value, so that the step leads downhill also along a direction of negative curvature. The distance of two curves side
 * by side hardly changes along them, so the smaller eigenvalue of the Hessian is near zero and often negative. Along curves side
 * by side, Gauss-Newton steps (without second derivatives) are far too short: in the first time step of scenes/hair/head_10k.json
 * (strands in bundles of seven), a search for a minimum took 30 iterations instead of 1. In 100,000 pairs of nearly parallel
 * curves (`capstan-bench curves 700000 100 3 17`), 406 of the contacts found are no local minimum of the distance with
 * Gauss-Newton steps, and only 19 with the function step_downhill. If the slope of the distance along the eigenvector of the
 * smaller eigenvalue is below CST_SPACE_LEVEL, the step has no component along this eigenvector, because rounding errors would
 * decide its direction. */
static void step_downhill(const cst_meeting *m, double *step)
{
    static const double LEAST = 1e-12; /* lower limit for the smaller eigenvalue of the Hessian, divided by the larger one */
    const double half = 0.5 * (m->h00 - m->h11), mean = 0.5 * (m->h00 + m->h11), root = sqrt(half * half + m->h01 * m->h01);
    const double large = larger(fabs(mean + root), 0.1 * larger(m->speed[0], m->speed[1]));
    const double small = larger(fabs(mean - root), LEAST * large);
    /* (c, d): unit eigenvector of the larger eigenvalue mean + root; (-d, c): that of the smaller one */
    const double c = root > 0.0 ? sqrt(0.5 * (1.0 + half / root)) : 1.0;
    const double d = root > 0.0 ? copysign(sqrt(larger(0.0, 0.5 * (1.0 - half / root))), m->h01) : 0.0;
    const double slope = m->g[1] * c - m->g[0] * d;
    const double level = CST_SPACE_LEVEL * sqrt(2.0 * m->f * larger(m->speed[0], m->speed[1]));
    const double along = -(m->g[0] * c + m->g[1] * d) / large, across = fabs(slope) > level ? -slope / small : 0.0;
    step[0] = along * c - across * d;
    step[1] = along * d + across * c;
}

static void newton_step(const cst_curve_pair *pair, const cst_meeting *m, const bool *fixed, double *step)
{
    step[0] = step[1] = 0.0;
    if (fixed[0] || fixed[1]) {
        for (int i = 0; i < 2; ++i)
            if (!fixed[i])
                step[i] = step_of_one(m, i);
        return;
    }
    const double h00 = m->h00, h11 = m->h11, h01 = m->h01, det = h00 * h11 - h01 * h01;
    if (h00 > 0.0 && h11 > 0.0 && det > 1e-12 * h00 * h11) {
        step[0] = (-h11 * m->g[0] + h01 * m->g[1]) / det;
        step[1] = (h01 * m->g[0] - h00 * m->g[1]) / det;
    } else {
        step_downhill(m, step);
    }
    for (int i = 0; i < 2; ++i) { /* at a bound: fix this position */
        const double to = m->u[i] + step[i];
        if ((m->u[i] <= pair->low[i] && to < pair->low[i]) || (m->u[i] >= pair->high[i] && to > pair->high[i])) {
            step[i] = 0.0;
            step[1 - i] = step_of_one(m, 1 - i);
            return;
        }
    }
}

/* Returns true if a Newton step to the positions u on the two segments leads to a minimum that an earlier search has found. If a
 * search comes within a tenth of a segment of a clearly convex minimum, the code assumes that it converges to this minimum,
 * because the second derivatives of the distance hardly change over a tenth of a segment. */
static bool joins(const cst_curve_pair *pair, const double *u, double f)
{
    static const double NEAR = 0.1;
    for (int i = 0; i < pair->searches; ++i)
        if (pair->basin[i] >= 0.0 && pair->basin[i] <= f && fabs(pair->led_to[i][0] - u[0]) < NEAR &&
            fabs(pair->led_to[i][1] - u[1]) < NEAR)
            return true;
    return false;
}

static bool is_inside(const cst_curve_pair *pair, const cst_meeting *m)
{
    return m->u[0] > pair->low[0] && m->u[0] < pair->high[0] && m->u[1] > pair->low[1] && m->u[1] < pair->high[1];
}

static bool is_convex(const cst_meeting *m)
{
    static const double CONVEX = 0.05; /* least determinant / diagonal product */
    return m->h00 > 0.0 && m->h11 > 0.0 && m->h00 * m->h11 - m->h01 * m->h01 > CONVEX * m->h00 * m->h11;
}

/* Moves the pair of points m to a local minimum of the distance of the two curves, within the bounds of the search. `fixed`:
 * points that stay. The iteration ends after a step shorter than `tolerance` (as a share of a segment). Where half the squared
 * distance is clearly convex, a step shorter than the larger limit `quick` is enough to end the iteration. Returns true if the
 * iteration leads to a minimum that an earlier search has found. */
CST_MULTIVERSION static bool minimise(const cst_curve_pair *pair, cst_curve_truth how, double tolerance, double quick,
                                      const bool *fixed, cst_meeting *m)
{
    for (int i = 0; i < NEWTON_MOST; ++i) {
        const bool stays[2] = {fixed[0] || held(pair, m, 0), fixed[1] || held(pair, m, 1)};
        if (stays[0] && stays[1])
            return false;
        double step[2];
        newton_step(pair, m, stays, step);
        double part = smaller(1.0, 0.5 / larger(fabs(step[0]), fabs(step[1])));
        cst_meeting next;
        double moved = 0.0;
        for (int j = 0; j <= HALVINGS; ++j, part *= 0.5) {
            double u[2];
            for (int k = 0; k < 2; ++k)
                u[k] = larger(pair->low[k], smaller(pair->high[k], m->u[k] + part * step[k]));
            moved = larger(fabs(u[0] - m->u[0]), fabs(u[1] - m->u[1]));
            if (how == CST_QUARTIC && !fixed[0] && !fixed[1] && joins(pair, u, m->f))
                return true;
            cst_meet(pair->side, &pair->quartic, u, how, &next);
            if (next.f <= m->f || moved < tolerance)
                break;
        }
        *m = next;
        if (moved < tolerance || (moved < quick && is_inside(pair, m) && is_convex(m)))
            return false;
    }
    return false;
}

/* ------------------------------------------------------------------------------------------------------- straight segments */

/* Proposes the two ends of the overlap of two nearly parallel segments as contacts. */
static void propose_overlap(cst_curve_pair *pair)
{
    const cst_segment *p = pair->side[0].segment, *q = pair->side[1].segment;
    for (int end = 0; end < 4; ++end) {
        const int mine = end / 2;
        const cst_segment *of = mine ? q : p, *on = mine ? p : q;
        double u[2], w[3];
        u[mine] = end % 2;
        cst_subtract3(of->x[end % 2], on->x[0], w);
        const double foot = cst_dot3(w, on->m[0]) / cst_dot3(on->m[0], on->m[0]);
        u[1 - mine] = fmax(0.0, fmin(1.0, foot));
        if (fabs(foot - u[1 - mine]) > 1e-12)
            continue; /* no opposite point */
        cst_pair_propose(pair, u, 0);
    }
}

/* Projects an end of segment i on the other segment, which is straight. Returns false if the projection of this end of segment i
 * is at or beyond an end of the other segment. */
static bool end_over(const cst_curve_pair *pair, int i, int end, double *u, double x[2][3])
{
    const cst_segment *on = pair->side[1 - i].segment;
    double w[3];
    memcpy(x[i], pair->side[i].segment->x[end], sizeof x[i]);
    cst_subtract3(x[i], on->x[0], w);
    u[i] = end;
    u[1 - i] = cst_dot3(w, on->m[0]) / cst_dot3(on->m[0], on->m[0]);
    for (int k = 0; k < 3; ++k)
        x[1 - i][k] = on->x[0][k] + u[1 - i] * on->m[0][k];
    return u[1 - i] > 0.0 && u[1 - i] < 1.0;
}

/* Proposes a contact of a free end of a rod with the neighbouring edge: the first or the last edge of the rod can fold back onto
 * its neighbour (fold.h). Segment i contains the free end. */
static void propose_end(cst_curve_pair *pair, int i)
{
    const cst_placed_piece *a = pair->side[0].piece, *b = pair->side[1].piece;
    double u[2], r[3], x[2][3];
    cst_touch_space touch = {0};
    if (!end_over(pair, i, i, u, x))
        return;
    cst_subtract3(x[0], x[1], r);
    touch.gap = cst_pair_normal(pair, r, a->t[0], b->t[0], touch.normal) - a->piece->radius - b->piece->radius;
    if (cst_pair_place(pair, u, x, &touch))
        cst_pair_add(pair, &touch);
}

static void touch_straight(cst_curve_pair *pair, const cst_segments *nearest)
{
    if (cst_pieces_fold_at_end(pair->side[0].piece, pair->side[1].piece)) { /* the nearest points are the joint */
        if (pair->side[0].piece->prev < 0)
            propose_end(pair, 0);
        if (pair->side[1].piece->next < 0)
            propose_end(pair, 1);
        return;
    }
    const cst_segment *p = pair->side[0].segment, *q = pair->side[1].segment;
    const double pp = cst_dot3(p->m[0], p->m[0]), qq = cst_dot3(q->m[0], q->m[0]);
    const double length = fmin(pp, qq), flat = fmax(pair->rules->flat, CST_SPACE_LEVEL * sqrt(length));
    double across[3];
    cst_cross3(p->m[0], q->m[0], across);
    const double sine2 = pp > 0.0 && qq > 0.0 ? cst_dot3(across, across) / (pp * qq) : 1.0;
    const double u[2] = {nearest->s, nearest->t};
    if (nearest->parallel || sine2 * length <= 20.0 * flat * (nearest->distance + flat)) {
        const int before = pair->count;
        propose_overlap(pair);
        if (nearest->parallel) {
            if (pair->count == before)
                cst_pair_propose(pair, u, CST_TOUCH_INSIDE_LEVEL);
            return;
        }
    }
    cst_pair_propose(pair, u, 0);
}

/* --------------------------------------------------------------------------------------------------------- curved segments */

/* Estimates by how much the slope of the distance of two curves changes if a point on each curve moves, by the length of the
 * shorter centreline piece in total, in the combination of directions in which the slope changes least. The smaller eigenvalue of
 * the Hessian of half the squared distance is estimated by determinant / trace; the function returns -1 if the trace is not
 * positive. */
static double rise_of(const cst_curve_pair *pair, const cst_meeting *m)
{
    const double ha = pair->side[0].segment->h, hb = pair->side[1].segment->h;
    const double h00 = m->h00 / (ha * ha), h11 = m->h11 / (hb * hb), h01 = m->h01 / (ha * hb);
    const double trace = h00 + h11, length = fmin(pair->side[0].piece->piece->length, pair->side[1].piece->piece->length);
    return trace > 0.0 ? (h00 * h11 - h01 * h01) / trace * length / fmax(sqrt(2.0 * m->f), DBL_MIN) : -1.0;
}

/* BENT: bound for the second derivative (with respect to u in [0, 1]) of the error of a segment's quartic, divided by the error
 * at u = 1/4. BENT contains a safety factor of 2: if the error of a quartic at the position u is proportional to u^2 (1 - u)^2 (1
 * - 2 u), its second derivative is at most 114 times the error at u = 1/4. */
static const double BENT = 228.0;
static double doubt_of(const cst_curve_pair *pair)
{
    double bend = 0.0, length = INFINITY;
    for (int i = 0; i < 2; ++i) {
        const cst_placed_piece *piece = pair->side[i].piece;
        const double h = pair->side[i].segment->h;
        bend += piece->astray > 0.0 ? BENT * piece->astray / (h * h) : 0.0;
        length = fmin(length, piece->piece->length);
    }
    return 0.5 * bend * length + 1e-6;
}

/* Returns true if the error of the quartics is large enough to change which local minima the distance has near the pair of
 * points m. */
static bool is_doubtful(const cst_curve_pair *pair, const cst_meeting *m, const bool *fixed)
{
    if (!fixed[0] && !fixed[1])
        return fabs(rise_of(pair, m)) < 2.0 * pair->doubt;
    const int i = fixed[0] ? 1 : 0;
    const double h = pair->side[i].segment->h, speed = m->speed[i];
    const double rise = (i ? m->h11 : m->h00) / speed, wrong = sqrt(2.0 * m->f) * BENT * pair->side[i].piece->astray / (h * h);
    return fabs(rise) < 0.1 + 2.0 * wrong;
}

/* Returns true if an earlier search has found the same minimum; otherwise records the minimum. */
static bool been_there(cst_curve_pair *pair, const cst_meeting *m)
{
    const double *u = m->u;
    for (int i = 0; i < pair->searches; ++i)
        if (fabs(pair->led_to[i][0] - u[0]) < 5e-3 && fabs(pair->led_to[i][1] - u[1]) < 5e-3)
            return true;
    if (pair->searches < CST_PAIR_SEARCHES) {
        pair->basin[pair->searches] = is_convex(m) ? m->f : -1.0;
        pair->led_to[pair->searches][0] = u[0];
        pair->led_to[pair->searches++][1] = u[1];
    }
    return false;
}

/* Returns true if the point on curve i is an end of a centreline piece and the distance decreases away from this end, along the
 * joined piece or, if the search keeps this end fixed, along the piece itself. A decrease of the distance by less than the error
 * of the quartics (the polynomials that approximate the curves) does not count. */
static bool leads_on(const cst_curve_pair *pair, const cst_meeting *m, int i, bool fixed)
{
    const cst_placed_piece *piece = pair->side[i].piece, *other = pair->side[1 - i].piece;
    const cst_on_piece place = cst_side_place(&pair->side[i], m->u[i]);
    if (place == CST_PIECE_INSIDE)
        return false;
    const bool end = place == CST_PIECE_END;
    /* The tolerances for a decrease of the distance are smaller if the search keeps the end of a centreline piece fixed. Most
     * ends of pieces are joints at which the distance decreases slowly; with larger tolerances, the code would not discard these
     * joints. */
    const double wrong = fixed ? 1e-3 : 0.05, off = fixed ? 1e-4 : 2e-3;
    const double most = (wrong + pair->level) * sqrt(2.0 * m->f) + 4.0 * (off * pair->side[1 - i].segment->h + other->astray);
    const double sign = i == (int)end ? 1.0 : -1.0;
    if (fixed && -sign * cst_dot3(m->r, piece->t[end]) > most) /* along the piece itself */
        return true;
    return (end ? piece->next : piece->prev) >= 0 && sign * cst_dot3(m->r, end ? piece->t[1] : piece->before) > most;
}

/* Returns the distance of the two quartics (m) beyond which the true curves have no contact. */
static double farthest_of(const cst_curve_pair *pair)
{
    const double radii = pair->side[0].piece->piece->radius + pair->side[1].piece->piece->radius;
    return pair->reach + 0.05 * radii + 0.1 * (pair->side[0].segment->sag + pair->side[1].segment->sag);
}

static void search_from(cst_curve_pair *pair, const double *u, const bool *fixed)
{
    cst_meeting m = {.u = {u[0], u[1]}};
    cst_meet(pair->side, &pair->quartic, m.u, CST_QUARTIC, &m);
    /* Where the distance hardly changes, the distance of the quartics may have no minimum although that of the true curves has
     * one: slopes are then computed from the true curves. */
    const cst_curve_truth first_by = is_doubtful(pair, &m, fixed) ? CST_TRUE_PLACE : CST_QUARTIC;
    if (first_by != CST_QUARTIC)
        cst_meet(pair->side, &pair->quartic, m.u, first_by, &m);
    const bool at_end = fixed[0] || fixed[1];
    if (minimise(pair, first_by, at_end ? 1e-4 : 1e-3, at_end ? 1e-3 : 0.03, fixed, &m) || (!at_end && been_there(pair, &m)))
        return;
    const bool first[2] = {fixed[0] || held(pair, &m, 0), fixed[1] || held(pair, &m, 1)};
    if (!(sqrt(2.0 * m.f) < farthest_of(pair)))
        return;
    /* a minimum that lies on another segment is found by the search of that segment */
    for (int i = 0; i < 2; ++i)
        if (m.u[i] < -APART || m.u[i] > 1.0 + APART ||
            (!fixed[i] && first[i] && cst_side_place(&pair->side[i], m.u[i]) == CST_PIECE_INSIDE) ||
            leads_on(pair, &m, i, fixed[i]))
            return;
    const cst_curve_truth then_by = is_doubtful(pair, &m, fixed) ? CST_TRUE_BEND : CST_TRUE_PLACE;
    cst_meet(pair->side, &pair->quartic, m.u, then_by, &m);
    minimise(pair, then_by, 1e-7, 1e-4, fixed, &m);
    const bool stays[2] = {fixed[0] || held(pair, &m, 0), fixed[1] || held(pair, &m, 1)};
    for (int i = 0; i < 2; ++i) {
        const cst_on_piece at = cst_side_place(&pair->side[i], m.u[i]);
        if (stays[i] && (at == CST_PIECE_INSIDE || (at == CST_PIECE_END && pair->side[i].piece->next >= 0)))
            return;
    }
    uint32_t branch = 0;
    if (!stays[0] && !stays[1]) {
        const double rise = rise_of(pair, &m);
        const double level = 1e-6 * (1.0 + pair->doubt);
        if (rise < -level)
            return; /* a saddle */
        branch = rise < level ? CST_TOUCH_INSIDE_LEVEL : 0;
    }
    double x[2][3], t[2][3];
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 3; ++k) {
            x[i][k] = m.at.x[k][i];
            t[i][k] = m.at.d[k][i];
        }
        cst_normalise3(t[i]);
    }
    cst_pair_propose_points(pair, m.u, x, t, branch);
}

/* Lists the ends of a segment (0: start, 1: end) that are ends of its centreline piece, except an end at which a later piece
 * begins. */
static int ends_of(const cst_curve_side *side, int *end)
{
    int count = 0;
    if (side->segment->rank == 0)
        end[count++] = 0;
    if (side->segment->rank + 1 == side->piece->count && side->piece->next < 0)
        end[count++] = 1;
    return count;
}

/* Proposes an end of a bent centreline piece as a contact with a straight edge of the same rod, if the rod can fold such that
 * this end touches the edge (fold.h). */
static void propose_folds(cst_curve_pair *pair, int i)
{
    const cst_placed_piece *of = pair->side[i].piece, *on = pair->side[1 - i].piece;
    for (int end = 0; end < 2; ++end) {
        const cst_on_piece at = cst_side_place(&pair->side[i], end);
        double u[2], x[2][3], t[2][3];
        if (at == CST_PIECE_INSIDE || !cst_piece_folds_at(of, at, on) || !end_over(pair, i, end, u, x))
            continue;
        memcpy(t[i], of->t[end], sizeof t[i]);
        memcpy(t[1 - i], on->t[0], sizeof t[i]);
        cst_pair_propose_points(pair, u, x, t, 0);
    }
}

static void search_valley(cst_curve_pair *pair)
{
    const bool neither[2] = {false, false};
    const cst_segment *a = pair->side[0].segment, *b = pair->side[1].segment;
    const double wrong = pair->side[0].piece->astray + pair->side[1].piece->astray, h = fmax(a->h, b->h);
    double start[CST_VALLEY_STARTS][2], low[2], high[2];
    for (int i = 0; i < 2; ++i) { /* extended where the curve continues */
        const cst_curve_side *side = &pair->side[i];
        low[i] = side->segment->rank > 0 || side->piece->prev >= 0 ? -CST_VALLEY_BEYOND : 0.0;
        high[i] = side->segment->rank + 1 < side->piece->count || side->piece->next >= 0 ? 1.0 + CST_VALLEY_BEYOND : 1.0;
    }
    const cst_valley valley = {.quartic = &pair->quartic,
                               .side = pair->side,
                               .low = low,
                               .high = high,
                               .h = {a->h, b->h},
                               .slack = wrong * (2.0 * h + 16.0 * pair->effort) + 1e-9 * h * h,
                               .reach = pair->effort + farthest_of(pair) - pair->reach};
    const int starts = cst_valley_starts(&valley, start);
    for (int i = 0; i < starts; ++i) {
        for (int k = 0; k < 2; ++k)
            start[i][k] = larger(pair->low[k], smaller(pair->high[k], start[i][k]));
        search_from(pair, start[i], neither);
    }
}

/* Finds the points of the other curve that are locally nearest to an end (0: start, 1: end) of the centreline piece of curve
 * `mine`. */
static void search_end(cst_curve_pair *pair, int mine, int end)
{
    const cst_curve_side *on = &pair->side[1 - mine];
    const bool fixed[2] = {mine == 0, mine == 1};
    const double *x = pair->side[mine].piece->end[end], at = end;
    double near[CST_VALLEY_NEAREST];
    if (cst_pair_is_past(pair, 1 - mine, x))
        return;
    const double low = pair->low[1 - mine], high = pair->high[1 - mine];
    const double most = pair->effort + on->piece->off + 0.1 * (high - low) * on->segment->h;
    const double level = 2.0 * pair->effort * (16.0 * on->piece->astray + 1e-9 * on->segment->h);
    const int starts = cst_valley_nearest(&pair->quartic, 1 - mine, x, low, high, most, level, near);
    for (int i = 0; i < starts; ++i) {
        const double start[2] = {mine ? near[i] : at, mine ? at : near[i]};
        search_from(pair, start, fixed);
    }
}

static void touch_curved(cst_curve_pair *pair, const cst_segments *nearest)
{
    int end[2][2], ends[2];
    for (int i = 0; i < 2; ++i)
        if (pair->side[1 - i].piece->straight)
            propose_folds(pair, i);
    cst_pair_find_past(pair);
    if (cst_pair_is_apart(pair, nearest))
        return;
    cst_find_quartics(pair->side, &pair->quartic);
    pair->doubt = doubt_of(pair);
    search_valley(pair);
    for (int i = 0; i < 2; ++i)
        ends[i] = ends_of(&pair->side[i], end[i]);
    for (int corner = 0; corner < ends[0] * ends[1]; ++corner) { /* pairs of two ends */
        const int at[2] = {end[0][corner / ends[1]], end[1][corner % ends[1]]};
        const double u[2] = {at[0], at[1]};
        double x[2][3], t[2][3];
        for (int i = 0; i < 2; ++i) {
            memcpy(x[i], pair->side[i].piece->end[at[i]], sizeof x[i]);
            memcpy(t[i], pair->side[i].piece->t[at[i]], sizeof t[i]);
        }
        cst_pair_propose_points(pair, u, x, t, 0);
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < ends[i]; ++j)
            search_end(pair, i, end[i][j]);
}

int cst_touch_segments(const cst_curve_side *a, const cst_curve_side *b, const cst_space_rules *rules, cst_touch_space *out)
{
    const cst_segments nearest =
        cst_segment_segment(a->segment->line[0], a->segment->line[1], b->segment->line[0], b->segment->line[1]);
    const double reach = a->piece->piece->radius + b->piece->piece->radius + rules->margin;
    static const double ROUNDING = 1.0 + 1e-9;
    if (!(nearest.distance < ROUNDING * (reach + a->segment->wide + b->segment->wide)))
        return 0;
    double shortest = INFINITY;
    cst_curve_pair pair;
    pair.side[0] = *a;
    pair.side[1] = *b;
    pair.rules = rules;
    pair.reach = reach;
    pair.effort = a->piece->piece->radius + b->piece->piece->radius + rules->effort;
    pair.out = out;
    pair.count = pair.searches = 0;
    for (int i = 0; i < 2; ++i) {
        const cst_placed_piece *p = pair.side[i].piece;
        const cst_segment *segment = pair.side[i].segment;
        pair.low[i] = segment->rank > 0 ? -BEYOND : 0.0;
        pair.high[i] = segment->rank + 1 < p->count ? 1.0 + BEYOND : 1.0;
        if (!p->point)
            shortest = fmin(shortest, p->piece->length);
    }
    pair.level = fmax(CST_SPACE_LEVEL, rules->flat / shortest);
    if (a->piece->straight && b->piece->straight)
        touch_straight(&pair, &nearest);
    else
        touch_curved(&pair, &nearest);
    return pair.count;
}
