#include "collide/touch_surface.h"

#include "math/vector3.h"

/* The following constants limit the search for minima of the distance to the surface.
 *     DEEP: the search for minima halves a segment at most DEEP times.
 *     SURE: the search may treat the slope of the distance as a smooth function only after SURE halvings of the segment.
 *     ROOT_MOST: largest number of steps of a root search.
 *     LEVEL: after SURE halvings, an interval is not halved if the slopes of the distance at its ends, and `uneven` (scan), are
 *         below LEVEL in absolute value. */
enum { DEEP = 9, SURE = 3, ROOT_MOST = 100 };
static const double LEVEL = 1e-7;
/* SHALLOW: a minimum of the distance counts as shallow only if it differs from the distances at both ends of the bent centreline
 * piece by at most SHALLOW times the radius of the piece (is_shallow). Chosen with rope_over_bar and heap_of_10
 * (docs/world.md). */
static const double SHALLOW = 1e-3;

typedef struct surface_pair {
    const cst_curve_side *side;
    const cst_surface_shape *surface;
    const cst_space_rules *rules;
    double level;
    cst_touch_space *out;
    int count;
} surface_pair;

typedef struct sample {
    double u, phi, slope;
} sample;

/* Returns an upper bound (m) for the current length of a segment, which may exceed its rest length if it is stretched. Along a
 * stretched, bent segment x(u), the code assumes that the length |dx/du| of the tangent is at most BETWEEN times the larger of
 * the two lengths at the ends. */
static double way_along(const cst_curve_side *side)
{
    static const double ROUNDING = 1e-9, BETWEEN = 1.25;
    const cst_segment *segment = side->segment;
    const double first = cst_dot3(segment->m[0], segment->m[0]), last = cst_dot3(segment->m[1], segment->m[1]);
    if (side->piece->straight)
        return sqrt(first);
    const double speed = sqrt(first > last ? first : last);
    return speed > (1.0 + ROUNDING) * segment->h ? BETWEEN * speed : segment->h;
}

static sample sample_at(const surface_pair *pair, double u)
{
    double s, x[3], t[3], n[3];
    cst_side_at(pair->side, u, &s, x, t);
    const double phi = pair->surface->distance(pair->surface->user, x, n);
    return (sample){.u = u, .phi = phi, .slope = cst_dot3(n, t)};
}

/* Finds the position u on the segment, in [0, 1], where the slope of the distance along the segment crosses the value `target`.
 * The slope of the distance is below `target` at the sample `low`, and at least `target` at the sample `high`. Two of three steps
 * of the root search use the Illinois method, a variant of the secant method. Every third step is a bisection, because the slope
 * of the distance jumps at edges of the surface and is constant over its faces. */
static double pass(const surface_pair *pair, sample low, sample high, double target)
{
    if (pair->surface->slope_passes && pair->side->piece->straight)
        return pair->surface->slope_passes(pair->surface->user, pair->side->segment->x[0], pair->side->segment->m[0], low.u,
                                           high.u, target);
    double f_low = low.slope - target, f_high = high.slope - target;
    /* bound of the search interval [low, high] that the last step of the root search did not change: 1: high, -1: low, 0: no step
     * yet */
    int kept = 0;
    for (int i = 0; i < ROOT_MOST && high.u - low.u > 1e-14; ++i) {
        const bool secant = i % 3 < 2 && f_high > f_low;
        double u = secant ? low.u + (high.u - low.u) * (-f_low / (f_high - f_low)) : 0.5 * (low.u + high.u);
        if (!(u > low.u && u < high.u))
            u = 0.5 * (low.u + high.u);
        const sample middle = sample_at(pair, u);
        const double f = middle.slope - target;
        if (fabs(f) <= 1e-15)
            return u;
        const int keeps = f < 0.0 ? 1 : -1;
        if (f < 0.0) {
            low = middle;
            f_low = f;
            f_high *= kept == keeps ? 0.5 : 1.0;
        } else {
            high = middle;
            f_high = f;
            f_low *= kept == keeps ? 0.5 : 1.0;
        }
        kept = keeps;
    }
    return 0.5 * (low.u + high.u);
}

/* Corrects the contact normal and the signed distance phi if the segment is an edge of a solid that passes below a sharp edge of
 * the surface. The corrected normal is perpendicular to both edges (touch_surface.h), and the returned distance is measured along
 * this normal. If the segment does not pass below a sharp edge, phi is returned and the normal does not change. */
static double below_edge(const surface_pair *pair, double u, double phi, double *normal)
{
    static const double BESIDE = 1e-9;
    /* depth of the point below the surface (m); depth 0 also counts as below, because a point on an edge of the surface has no
     * unique normal */
    const double deep = -phi - pair->surface->rounding;
    if (!pair->side->piece->piece->edge || !(deep > -0.1 * BESIDE * way_along(pair->side)) || !pair->surface->convex ||
        !(u > BESIDE && u < 1.0 - BESIDE))
        return phi;
    double s, x[3], t[3], n[2][3], slope[2];
    for (int i = 0; i < 2; ++i) {
        cst_side_at(pair->side, u + (i ? BESIDE : -BESIDE), &s, x, t);
        pair->surface->distance(pair->surface->user, x, n[i]);
        slope[i] = cst_dot3(n[i], t);
    }
    if (!(slope[0] <= pair->level && slope[1] >= -pair->level && slope[1] - slope[0] > 1e-3))
        return phi;
    const double weight[2] = {fmax(0.0, slope[1]), fmax(0.0, -slope[0])};
    double across[3];
    for (int k = 0; k < 3; ++k)
        across[k] = weight[0] * n[0][k] + weight[1] * n[1][k];
    const double size = cst_normalise3(across);
    if (!(size > 0.1 * (weight[0] + weight[1]))) /* the two normals are nearly opposite */
        return phi;
    for (int k = 0; k < 3; ++k)
        normal[k] = across[k];
    return deep > 0.0 ? phi + deep - deep * (weight[0] + weight[1]) / size : phi;
}

static void propose(surface_pair *pair, double u, uint32_t branch)
{
    cst_touch_space touch = {.branch = branch};
    const cst_placed_piece *piece = pair->side->piece;
    double t[3];
    cst_side_at(pair->side, u, &touch.s_a, touch.x_a, t);
    double phi = pair->surface->distance(pair->surface->user, touch.x_a, touch.normal);
    phi = below_edge(pair, u, phi, touch.normal);
    touch.gap = phi - piece->piece->radius;
    if (!(touch.gap < pair->rules->margin) || !cst_piece_rests(piece, cst_side_place(pair->side, u), touch.normal, pair->level) ||
        pair->count == CST_SPACE_TOUCHES_MAX)
        return;
    for (int k = 0; k < 3; ++k)
        touch.x_b[k] = touch.x_a[k] - phi * touch.normal[k];
    pair->out[pair->count++] = touch;
}

/* Proposes the deepest point of the segment between the positions `from` and `to` as a contact; between these positions, the
 * slope of the distance counts as zero. On a flat surface, all points between the positions `from` and `to` are equally deep, and
 * none is proposed as a contact. */
static void propose_deepest(surface_pair *pair, sample start, sample end, double from, double to)
{
    const double length = pair->side->piece->piece->length;
    if (!(start.slope < -CST_SPACE_LEVEL && end.slope > CST_SPACE_LEVEL))
        return;
    const double u = pass(pair, start, end, 0.0), phi = sample_at(pair, u).phi;
    if (phi < fmin(sample_at(pair, from).phi, sample_at(pair, to).phi) - CST_SPACE_LEVEL * length)
        propose(pair, u, 0);
}

/* Returns true if a straight segment cannot have a contact with a convex surface. Only points where the slope of the distance is
 * zero, or an end from which the distance increases, can be contacts. */
static bool is_hopeless(const surface_pair *pair, sample low, sample high)
{
    double s, x[2][3], t[3];
    if (!pair->surface->nothing_rests)
        return false;
    if (low.slope > pair->level)
        high = low;
    if (high.slope < -pair->level)
        low = high;
    const bool place = !(high.u > low.u);
    cst_side_at(pair->side, low.u, &s, x[0], t);
    if (!place)
        cst_side_at(pair->side, high.u, &s, x[1], t);
    return pair->surface->nothing_rests(pair->surface->user, x[0], place ? x[0] : x[1]);
}

static void touch_straight(surface_pair *pair, sample start, sample end)
{
    const cst_piece *piece = pair->side->piece->piece;
    const double level = pair->level;
    if (is_hopeless(pair, start, end))
        return;
    if (start.slope <= level && end.slope >= -level) {
        const double from = start.slope >= -level ? 0.0 : pass(pair, start, end, -level);
        const double to = end.slope <= level ? 1.0 : pass(pair, start, end, level);
        const double rest = pair->surface->facet ? 0.0 : fmin(0.05 * piece->length, 0.5 * piece->radius);
        const double wide = fmax(1e-9 * piece->length, rest);
        if ((to - from) * piece->length > wide) {
            propose(pair, from, 0);
            propose_deepest(pair, start, end, from, to);
            propose(pair, to, 0);
            return;
        }
    }
    propose(pair, start.slope >= 0.0 ? 0.0 : end.slope <= 0.0 ? 1.0 : pass(pair, start, end, 0.0), 0);
}

/* Returns true if an inner minimum of the distance along a bent centreline piece is too shallow to be a contact. In place of a
 * shallow minimum, the two ends of the piece are contacts. A minimum is shallow if, at both ends of the piece, the piece is
 * parallel to the surface and the distance nearly equals the distance `phi` at the minimum. The test for a shallow minimum does
 * not use the search distance (rules->margin), because a longer search distance must not change which minima are contacts
 * (docs/world.md). */
static bool is_shallow(const surface_pair *pair, double phi)
{
    const cst_placed_piece *piece = pair->side->piece;
    /* if the surface is one triangle of a mesh, no minimum counts as shallow, because the ends of the piece may lie above other
     * triangles */
    if (pair->surface->facet)
        return false;
    for (int i = 0; i < 2; ++i) {
        double n[3];
        const double off = pair->surface->distance(pair->surface->user, piece->end[i], n) - phi;
        if (!(fabs(off) <= SHALLOW * piece->piece->radius && fabs(cst_dot3(n, piece->t[i])) <= pair->level))
            return false;
    }
    return true;
}

/* Finds the minima of the distance to the surface between two samples of a segment. An interval between two samples is not halved
 * if one of the following three rules excludes a minimum in it.
 *     Rule 1: an interval of the length l has no minimum if the slope of the distance is positive at both its ends, and greater
 *         than kappa*l at its left end.
 *     Rule 2: an interval of the length l has no minimum if the slope of the distance is negative at both its ends, and less than
 *         -kappa*l at its right end.
 *     Rule 3: after SURE halvings, an interval is treated as free of minima if the slope of the distance has the same sign at
 *         both its ends, and one of two conditions holds: both absolute values are larger than `uneven`, or these values and
 *         `uneven` are below LEVEL.
 *     `kappa`: largest curvature of the centreline piece (1/m).
 *     `uneven`: deviation of the slope of the distance from a linear function, in the middle of the interval that was halved
 *         last.
 * Along a curve of the curvature kappa, the slope of the distance to a convex surface decreases by at most kappa l over the
 * length l. */
static void scan(surface_pair *pair, sample left, sample right, int depth, double uneven)
{
    const cst_piece *piece = pair->side->piece->piece;
    const double way = (right.u - left.u) * way_along(pair->side), fall = piece->curvature * way;
    if (!(0.5 * (left.phi + right.phi - way) < piece->radius + pair->rules->margin))
        return;
    const bool down = left.slope < 0.0, up = right.slope >= 0.0;
    const bool smooth = depth >= SURE && (fmin(fabs(left.slope), fabs(right.slope)) > uneven ||
                                          fmax(fmax(fabs(left.slope), fabs(right.slope)), uneven) < LEVEL);
    const bool more = smooth ? false : down && !up ? right.slope > -fall : !down && up ? left.slope < fall : depth < SURE;
    if (more && depth < DEEP) {
        const sample middle = sample_at(pair, 0.5 * (left.u + right.u));
        const double off = fabs(middle.slope - 0.5 * (left.slope + right.slope));
        scan(pair, left, middle, depth + 1, off);
        scan(pair, middle, right, depth + 1, off);
    } else if (down && up) {
        const bool level = fmax(-left.slope, right.slope) < CST_SPACE_LEVEL;
        const double u = pass(pair, left, right, 0.0);
        if (level || !is_shallow(pair, sample_at(pair, u).phi))
            propose(pair, u, level ? CST_TOUCH_INSIDE_LEVEL : 0);
    }
}

static void touch_bent(surface_pair *pair, sample start, sample end)
{
    const cst_segment *segment = pair->side->segment;
    if (segment->rank == 0)
        propose(pair, 0.0, 0);
    scan(pair, start, end, 0, INFINITY);
    if (segment->rank + 1 == pair->side->piece->count)
        propose(pair, 1.0, 0);
}

int cst_touch_surface(const cst_curve_side *a, const cst_surface_shape *b, const cst_space_rules *rules, cst_touch_space *out)
{
    const cst_placed_piece *piece = a->piece;
    const double length = piece->piece->length;
    surface_pair pair = {.side = a,
                         .surface = b,
                         .rules = rules,
                         .level = fmax(CST_SPACE_LEVEL, rules->flat / length), /* not used for a ball */
                         .out = out};
    const sample start = sample_at(&pair, 0.0);
    const double reach = piece->piece->radius + rules->margin;
    if (piece->point) {
        propose(&pair, 0.0, 0);
        return pair.count;
    }
    /* along a segment, the distance to the surface changes by at most the segment's length */
    if (!(start.phi - way_along(a) < reach))
        return 0;
    const sample end = sample_at(&pair, 1.0);
    if (!(0.5 * (start.phi + end.phi - way_along(a)) < reach))
        return 0;
    if (piece->straight && b->convex)
        touch_straight(&pair, start, end);
    else
        touch_bent(&pair, start, end);
    return pair.count;
}
