#include "collide/centreline.h"

#include <math.h>
#include <string.h>

#include "math/vector3.h"

enum { SEGMENTS_MAX = 4096, HALVINGS = 8 };

void cst_segment_cubic(const cst_segment *segment, double u, double *x, double *d, double *dd)
{
    const double v = 1.0 - u;
    for (int k = 0; k < 3; ++k) {
        const double chord = segment->x[1][k] - segment->x[0][k];
        const double a = segment->m[0][k] - chord, b = chord - segment->m[1][k];
        x[k] = segment->x[0][k] + u * chord + u * v * (v * a + u * b);
        d[k] = chord + v * (v - 2.0 * u) * a + u * (2.0 * v - u) * b;
        dd[k] = (6.0 * u - 4.0) * a + (2.0 - 6.0 * u) * b;
    }
}

/* `u^2*(1-u)^2` at u = 1/2 */
static const double MIDDLE = 1.0 / 16.0;

static double distance_to_curve(const cst_placed_piece *p, const double *x, double s)
{
    double y[3], from[3];
    p->view->at(p->view->user, p->piece->feature, s, y, NULL);
    cst_subtract3(x, y, from);
    return sqrt(cst_dot3(from, from));
}

/* `s`: start of the segment (m). */
static void find_bulge(const cst_placed_piece *p, double s, const cst_segment *segment, double *bulge)
{
    double x[3], y[3], d[3], dd[3];
    p->view->at(p->view->user, p->piece->feature, s + 0.5 * segment->h, y, NULL);
    cst_segment_cubic(segment, 0.5, x, d, dd);
    for (int k = 0; k < 3; ++k)
        bulge[k] = (y[k] - x[k]) / MIDDLE;
}

void cst_segment_bulge(const cst_placed_piece *p, const cst_segment *segment, double *bulge)
{
    if (p->straight)
        memset(bulge, 0, 3 * sizeof *bulge);
    else if (segment->rank == 0) /* known */
        memcpy(bulge, p->begin[4], sizeof p->begin[4]);
    else if (p->even)
        for (int k = 0; k < 3; ++k)
            bulge[k] = p->bulge * (segment->m[0][k] - segment->m[1][k]);
    else
        find_bulge(p, segment->rank * segment->h, segment, bulge);
}

/* Decides if all segments of a centreline piece are treated as having the same shape, as on a helix. The bulge of a segment is a
 * vector proportional to the difference between the quartic and the cubic polynomial that approximate its curve. All segments of
 * a piece are treated as equal if the bulge of the first segment is parallel to the difference m0 - m1 of its end tangents. On a
 * helix, the bulge is parallel to m0 - m1, because a segment is symmetric under half a turn about the normal in its middle. If
 * segments of different shapes are treated as equal, little accuracy is lost, because even the cubic without the bulge deviates
 * from the curve by only about 1 % of the rod's radius. */
static void find_symmetry(cst_placed_piece *p, const cst_segment *first)
{
    /* The bulge of a segment counts as parallel to the difference of its end tangents if its component perpendicular to this
     * difference is at most PARALLEL |bulge| + ROUNDING h (h: length of the segment). */
    static const double PARALLEL = 1e-6, ROUNDING = 1e-8;
    double turn[3], rest[3];
    cst_subtract3(first->m[0], first->m[1], turn);
    const double square = cst_dot3(turn, turn);
    p->bulge = square > 0.0 ? cst_dot3(p->begin[4], turn) / square : 0.0;
    memcpy(rest, p->begin[4], sizeof rest);
    cst_add3(-p->bulge, turn, rest);
    const double most = PARALLEL * sqrt(cst_dot3(p->begin[4], p->begin[4])) + ROUNDING * first->h;
    p->even = cst_dot3(rest, rest) <= most * most;
}

/* Computes the first of `count` equal segments of a centreline piece. Returns the distance (m) between the segment's Hermite
 * cubic and the true curve at the middle of the segment. Sets *astray to the distance (m) between the segment's quartic and the
 * true curve at a quarter of the segment. */
static double off_curve(cst_placed_piece *p, int count, double *astray)
{
    const int feature = p->piece->feature;
    cst_segment first = {.h = p->piece->length / count};
    p->view->at(p->view->user, feature, 0.0, first.x[0], first.m[0]);
    p->view->at(p->view->user, feature, first.h, first.x[1], first.m[1]);
    for (int k = 0; k < 3; ++k) {
        first.m[0][k] *= first.h;
        first.m[1][k] *= first.h;
    }
    double *bulge = p->begin[4];
    find_bulge(p, 0.0, &first, bulge);
    memcpy(p->begin[0], first.x, sizeof first.x);
    memcpy(p->begin[2], first.m, sizeof first.m);
    find_symmetry(p, &first);
    double x[3], d[3], dd[3];
    cst_segment_cubic(&first, 0.25, x, d, dd);
    cst_add3(0.0625 * 0.5625, bulge, x);
    *astray = distance_to_curve(p, x, 0.25 * first.h);
    return MIDDLE * sqrt(cst_dot3(bulge, bulge));
}

static int segments_of(cst_placed_piece *p)
{
    const cst_piece *piece = p->piece;
    const double h = fmax(0.1 / piece->curvature, fmin(0.5 / piece->curvature, sqrt(4.0 * piece->radius / piece->curvature)));
    int count = (int)fmin(SEGMENTS_MAX, fmax(1.0, ceil(piece->length / h)));
    const double near = 0.01 * fmax(piece->radius, 1e-3 * piece->length);
    double off = off_curve(p, count, &p->astray);
    for (int i = 0; i < HALVINGS && 2 * count <= SEGMENTS_MAX && off > near; ++i) {
        count *= 2;
        off = off_curve(p, count, &p->astray);
    }
    p->off = off;
    return count;
}

static void place_ends(cst_placed_piece *p, const cst_piece_shape *shape)
{
    const bool known = shape && shape->has_ends;
    const int feature = p->piece->feature;
    double sum = 0.0;
    if (p->straight) {
        double along[3];
        for (int end = 0; end < 2; ++end)
            p->view->at(p->view->user, feature, end * p->piece->length, p->end[end], NULL);
        cst_subtract3(p->end[1], p->end[0], along);
        cst_normalise3(along);
        memcpy(p->t[0], along, sizeof along);
        memcpy(p->t[1], along, sizeof along);
    } else if (known) {
        memcpy(p->end, shape->end, sizeof p->end);
        memcpy(p->t, shape->tangent, sizeof p->t);
    } else {
        for (int end = 0; end < 2; ++end) {
            p->view->at(p->view->user, feature, end * p->piece->length, p->end[end], p->t[end]);
            cst_normalise3(p->t[end]);
        }
    }
    for (int k = 0; k < 3; ++k)
        sum += p->end[0][k] + p->end[1][k] + p->t[0][k] + p->t[1][k];
    for (int i = 0; i < CST_QUARTERS - 1; ++i) {
        const double part = (i + 1.0) / CST_QUARTERS;
        if (!p->straight && known && p->view->inside)
            p->view->inside(shape, part * p->piece->length, p->inside[i]);
        else if (!p->straight)
            p->view->at(p->view->user, feature, part * p->piece->length, p->inside[i], NULL);
        for (int k = 0; k < 3; ++k) {
            if (p->straight)
                p->inside[i][k] = p->end[0][k] + part * (p->end[1][k] - p->end[0][k]);
            sum += p->inside[i][k];
        }
    }
    p->usable = isfinite(sum);
}

void cst_place_piece(const cst_piece *piece, const cst_piece_shape *shape, const cst_curve_view *view, cst_placed_piece *out)
{
    out->piece = piece;
    out->view = view;
    out->first = out->count = 0;
    out->prev = out->next = -1;
    out->turned = 0.0;
    memset(out->end, 0, sizeof out->end);
    memset(out->inside, 0, sizeof out->inside);
    memset(out->t, 0, sizeof out->t);
    memset(out->before, 0, sizeof out->before);
    out->usable = isfinite(piece->length + piece->radius + piece->curvature + piece->s) && piece->length >= 0.0 &&
                  piece->radius >= 0.0 && piece->curvature >= 0.0;
    out->point = piece->length == 0.0;
    out->straight = out->point || piece->curvature == 0.0;
    if (out->usable)
        place_ends(out, shape);
}

void cst_count_segments(cst_placed_piece *p)
{
    p->off = p->astray = 0.0;
    p->count = p->straight || !p->usable ? 1 : segments_of(p);
}

/* Computes the chord of a segment, shifted towards the curve to halve its distance from the curve. The Hermite cubic of the
 * segment is assumed to deviate from the curve by at most twice `off`, the deviation (m) in the middle of the first segment of
 * the piece. */
static void lay_line(cst_segment *segment, double off)
{
    double o[2][3], middle[3], most = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double chord = segment->x[1][k] - segment->x[0][k];
        o[0][k] = 0.25 * (segment->m[0][k] - chord); /* 3/4 of o0, o1 */
        o[1][k] = 0.25 * (chord - segment->m[1][k]);
        middle[k] = 0.25 * (o[0][k] + o[1][k]);
        segment->line[0][k] = segment->x[0][k] + middle[k];
        segment->line[1][k] = segment->x[1][k] + middle[k];
    }
    for (int i = 0; i < 2; ++i) {
        double from[3];
        cst_subtract3(o[i], middle, from);
        most = fmax(most, cst_dot3(from, from));
    }
    segment->wide = sqrt(fmax(most, cst_dot3(middle, middle))) + 2.0 * off;
}

static void cut_bent(const cst_placed_piece *p, int i, double h, cst_segment *to)
{
    if (i == 0) {
        memcpy(to->x, p->begin[0], sizeof to->x);
        memcpy(to->m, p->begin[2], sizeof to->m);
        return;
    }
    double t[3];
    memcpy(to->x[0], to[-1].x[1], sizeof to->x[0]);
    memcpy(to->m[0], to[-1].m[1], sizeof to->m[0]);
    p->view->at(p->view->user, p->piece->feature, i + 1 == p->count ? p->piece->length : (i + 1) * h, to->x[1], t);
    for (int k = 0; k < 3; ++k)
        to->m[1][k] = h * t[k];
}

static void lay_straight(const cst_placed_piece *p, cst_segment *to)
{
    memcpy(to->x, p->end, sizeof to->x);
    for (int k = 0; k < 3; ++k)
        to->m[0][k] = to->m[1][k] = to->x[1][k] - to->x[0][k];
}

void cst_cut_piece(cst_placed_piece *p, int32_t index, cst_segment *out)
{
    const cst_piece *piece = p->piece;
    const double h = piece->length / p->count;
    double sum = 0.0;
    for (int i = 0; i < p->count; ++i) {
        cst_segment *to = out + i;
        to->h = h;
        to->sag = p->straight ? 0.0 : 0.125 * piece->curvature * h * h;
        to->piece = index;
        to->rank = i;
        if (p->straight)
            lay_straight(p, to);
        else
            cut_bent(p, i, h, to);
        for (int k = 0; k < 3; ++k)
            sum += to->x[0][k] + to->x[1][k] + to->m[0][k] + to->m[1][k];
        lay_line(to, p->off);
    }
    p->usable = p->usable && isfinite(sum);
}

bool cst_pieces_meet(const cst_piece *a, const cst_piece *b, bool wrap)
{
    const double gap = b->s + (wrap ? b->owner_length : 0.0) - (a->s + a->length);
    return a->owner == b->owner && !a->edge && !b->edge && a->length > 0.0 && b->length > 0.0 &&
           fabs(gap) <= 1e-9 * (a->length + b->length);
}

void cst_join_pieces(cst_placed_piece *a, int32_t a_index, cst_placed_piece *b, int32_t b_index)
{
    a->next = b_index;
    b->prev = a_index;
    for (int k = 0; k < 3; ++k)
        b->before[k] = a->t[1][k];
}

double cst_joint_turn(const cst_placed_piece *piece)
{
    double across[3];
    /* usually, the two tangents at a smooth joint are equal in all bits; comparing bits is faster than computing the angle */
    if (memcmp(piece->before, piece->t[0], sizeof piece->before) == 0)
        return 0.0;
    cst_cross3(piece->before, piece->t[0], across);
    return atan2(sqrt(cst_dot3(across, across)), cst_dot3(piece->before, piece->t[0]));
}

cst_box cst_segment_box(const cst_segment *segment, double about)
{
    cst_box box;
    about += segment->wide;
    for (int k = 0; k < 3; ++k) {
        box.low[k] = fmin(segment->line[0][k], segment->line[1][k]) - about;
        box.high[k] = fmax(segment->line[0][k], segment->line[1][k]) + about;
    }
    return box;
}
