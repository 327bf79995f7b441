#include "collide/touch_surface.h"

#include "math/vector3.h"

/* DEEP: largest number of times that a segment is halved in the search for minima of its distance from a surface. SURE: only
 * after this number of halvings, the slope of the distance along a part of the segment may count as a smooth function. */
enum { DEEP = 9, SURE = 3, ROOT_MOST = 100 };
static const double LEVEL = 1e-7;
/* SHALLOW: if the distance of a bent centreline piece at an inner minimum differs from the distances at both ends by less than
 * this share of the radius, only the ends are contacts. Chosen with rope_over_bar and heap_of_10 (docs/world.md). */
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

/* Returns an upper bound (m) for the current length of a segment, which may exceed its rest length, because a straight edge
 * between two nodes of a rod may be stretched. The speed |dx/du| of a bent segment's point x(u) is known at the ends of the
 * segment and is slightly larger between them. */
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

/* Returns the position u in [0, 1] on the segment where the slope, along the segment, of its distance to the surface crosses the
 * value `target`. At the sample `low` the slope of the distance is below the value `target`, and at the sample `high` it is at
 * least `target`. The point where the slope reaches the value `target` is searched by the Illinois method (a variant of the
 * secant method), but every third step is a bisection, because the slope of the distance jumps at edges and is constant over
 * faces. */
static double pass(const surface_pair *pair, sample low, sample high, double target)
{
    if (pair->surface->slope_passes && pair->side->piece->straight)
        return pair->surface->slope_passes(pair->surface->user, pair->side->segment->x[0], pair->side->segment->m[0], low.u,
                                           high.u, target);
    double f_low = low.slope - target, f_high = high.slope - target;
    int kept = 0; /* end that was not moved */
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

/* If the segment is an edge of a solid and passes below a sharp edge of the surface, sets the contact normal perpendicular to
 * both edges, and returns the signed distance along this normal. In all other cases, returns phi. */
static double below_edge(const surface_pair *pair, double u, double phi, double *normal)
{
    static const double BESIDE = 1e-9;
    /* zero depth gives no normal */
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
    if (!(size > 0.1 * (weight[0] + weight[1]))) /* nearly opposite normals */
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

/* Proposes as a contact the deepest point of the interval of the segment in which the slope of the distance along the segment
 * counts as zero. On a flat surface, all points with zero slope are equally deep, so propose_deepest proposes none of them as a
 * contact. */
static void propose_deepest(surface_pair *pair, sample start, sample end, double from, double to)
{
    const double length = pair->side->piece->piece->length;
    if (!(start.slope < -CST_SPACE_LEVEL && end.slope > CST_SPACE_LEVEL))
        return;
    const double u = pass(pair, start, end, 0.0), phi = sample_at(pair, u).phi;
    if (phi < fmin(sample_at(pair, from).phi, sample_at(pair, to).phi) - CST_SPACE_LEVEL * length)
        propose(pair, u, 0);
}

/* Returns true if a straight segment cannot have a contact with a convex surface. Contacts of a straight segment can only lie
 * where the slope of its distance to the surface is zero up to a tolerance. */
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

/* Returns true if the inner minimum of the distance between a bent centreline piece and a surface is so shallow that it is not
 * used as a contact. An inner minimum is shallow if both ends of the centreline piece are parallel to the surface, and their
 * distances from it are nearly the distance `phi` of the minimum. If the inner minimum of the distance is not used as a contact,
 * both ends of the bent centreline piece are contacts instead. Bent pieces are joined without a kink, so at an end that is
 * parallel to the surface, the distance does not decrease along the neighbouring piece. The function is_shallow does not compare
 * the gap with the margin, because contacts must not depend on the search distance (docs/world.md). */
static bool is_shallow(const surface_pair *pair, double phi)
{
    const cst_placed_piece *piece = pair->side->piece;
    if (pair->surface->facet) /* ends: perhaps on other triangles */
        return false;
    for (int i = 0; i < 2; ++i) {
        double n[3];
        const double off = pair->surface->distance(pair->surface->user, piece->end[i], n) - phi;
        if (!(fabs(off) <= SHALLOW * piece->piece->radius && fabs(cst_dot3(n, piece->t[i])) <= pair->level))
            return false;
    }
    return true;
}

/* Finds the minima of the distance to the surface between two sample points of the segment; `slope` is the slope of this
 * distance along the segment. Along a centreline piece with a curvature of at most kappa, the slope of the distance to a convex
 * surface decreases by at most kappa l between two samples with the length l between them. Between two samples with positive
 * slopes there is no minimum if the slope at the left sample exceeds kappa l (curvature times length). Between two samples with
 * negative slopes there is no minimum if the slope at the right sample is below -kappa l (curvature times length). Between two
 * close samples whose slopes have the same sign, there is no minimum if the slope of the distance is nearly a linear function
 * of the position along the segment. The interval between the two samples is one half of a parent interval; `uneven` is the
 * deviation of the slope from a linear function in the middle of the parent interval. The deviation of a smooth slope from a
 * linear function falls to a quarter when an interval is halved. Slopes of the distance as small as rounding errors count as
 * zero. */
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
    if (!(start.phi - way_along(a) < reach)) /* along the segment, the distance changes by at most the segment's length */
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
