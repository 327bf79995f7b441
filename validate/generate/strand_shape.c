/* Strands that lie on each other.
 *
 * Drawn in layers (a strand rooted higher lies above those rooted below), waved sideways so that neighbours cross, then
 * relaxed: overlapping segments are pushed apart, everything is pulled towards the cylinder, and each strand is kept a
 * spline with clamped roots by projecting the displacement on the span of its free basis functions. Circles are walked by
 * rational rotations, (1 - t^2, 2 t) / (1 + t^2): nothing here depends on a library's sines. */
#include <math.h>
#include <string.h>

#include "generate/strand.h"
#include "generate/vector.h"
#include "generate/wave.h"

enum { SWEEPS = 40, SEARCH_EVERY = 20, FILTER_EVERY = 5 };
static const double RADIUS = 5e-4, HEAD = 0.11, LENGTH = 0.22; /* m: guide strand of 50 hairs */
static const double PER_METRE = 2400;                          /* strands per metre of mane */
static const double PACKING = 0.9, WAVE = 3e-3;                /* of the drawn layers; sideways amplitude, m */
static const double ROOT_LOW = 0.126, ROOT_HIGH = 0.8;         /* tan(angle / 2) of the roots, 0.25 to 1.35 from the top */
static const double SINK = 3.3e-3;                             /* way that the pull alone would move a strand, m */
static const double SEARCH_SKIN = 8e-4, FILTER_SKIN = 3e-4;    /* pairs are kept this much beyond touching, m */

/* Cox-de Boor on the clamped knots 0 0 0 0 1/e .. 1 1 1 1, e = controls - 3 elements. */
static void spline_basis(int controls, int samples, double *basis)
{
    int elements = controls - 3;
    for (int i = 0; i < samples; i++) {
        double x = (double)i * elements / (samples - 1), left[4], right[4], value[4] = {1};
        int element = (int)x < elements ? (int)x : elements - 1;
        for (int degree = 1; degree <= 3; degree++) {
            int up = element + degree, down = element + 1 - degree;
            right[degree] = (up < elements ? up : elements) - x;
            left[degree] = x - (down > 0 ? down : 0);
            double carried = 0;
            for (int k = 0; k < degree; k++) {
                double part = value[k] / (right[k + 1] + left[degree - k]);
                value[k] = carried + right[k + 1] * part;
                carried = left[degree - k] * part;
            }
            value[degree] = carried;
        }
        for (int k = 0; k < 4; k++)
            basis[i * controls + element + k] = value[k];
    }
}

/* span (samples x count): orthonormal columns spanning columns first .. first + count - 1 of the basis; Gram-Schmidt, twice. */
static void orthonormal_span(const cst_strand_set *set, int first, int count, double *span)
{
    int m = set->samples;
    for (int c = 0; c < count; c++) {
        for (int i = 0; i < m; i++)
            span[i * count + c] = set->basis[i * set->controls + first + c];
        for (int pass = 0; pass < 2; pass++)
            for (int other = 0; other <= c; other++) {
                double dot = 0;
                for (int i = 0; i < m; i++)
                    dot += span[i * count + other] * span[i * count + c];
                for (int i = 0; i < m; i++)
                    if (other < c)
                        span[i * count + c] -= dot * span[i * count + other];
                    else
                        span[i * count + c] /= sqrt(dot);
            }
    }
}

/* x (m x 3) <- span span^T d, added to x or in place of it */
static void project(const double *span, int m, int count, const double *d, bool add, double *x)
{
    double coefficient[64][3];
    for (int c = 0; c < count; c++)
        coefficient[c][0] = coefficient[c][1] = coefficient[c][2] = 0;
    for (int i = 0; i < m; i++)
        for (int c = 0; c < count; c++)
            for (int k = 0; k < 3; k++)
                coefficient[c][k] += span[i * count + c] * d[3 * i + k];
    for (int i = 0; i < m; i++) {
        double sum[3] = {0, 0, 0};
        for (int c = 0; c < count; c++)
            for (int k = 0; k < 3; k++)
                sum[k] += span[i * count + c] * coefficient[c][k];
        for (int k = 0; k < 3; k++)
            x[3 * i + k] = sum[k] + (add ? x[3 * i + k] : 0);
    }
}

/* One strand as drawn: root at (y, t0), walked down the cylinder and then straight down. */
static void draw_strand(const cst_strand_set *set, cst_rng *rng, double y, double t0, double *x)
{
    int m = set->samples;
    double length = set->length * cst_rng_range(rng, 0.9, 1.1), step = length / (m - 1);
    double cosine = (1 - t0 * t0) / (1 + t0 * t0), sine = 2 * t0 / (1 + t0 * t0), drop = 0;
    double half = step / (2 * set->head), turn_c = (1 - half * half) / (1 + half * half), turn_s = 2 * half / (1 + half * half);
    double wavelength = cst_rng_range(rng, 0.08, 0.16), amplitude = WAVE * cst_rng_normal(rng), phase = cst_rng_uniform(rng);
    double diameter = 2 * set->radius, layer = diameter * diameter / PACKING * PER_METRE;
    for (int i = 0; i < m; i++) {
        double s = i * step;
        double below = fmin(sine / (1 + cosine), ROOT_HIGH) - t0; /* roots passed so far lie under this strand */
        double out = set->head + set->radius + layer * below / (ROOT_HIGH - ROOT_LOW);
        x[3 * i] = out * sine;
        x[3 * i + 1] = y + amplitude * cst_wave(s / wavelength + phase) * fmin(s / 0.05, 1);
        x[3 * i + 2] = out * cosine - drop;
        if (cosine > 0) {
            double next = cosine * turn_c - sine * turn_s;
            sine = sine * turn_c + cosine * turn_s;
            cosine = next;
            if (cosine <= 0) { /* past the equator: the rest of the step hangs */
                drop = -cosine * set->head;
                cosine = 0;
                sine = 1;
            }
        } else {
            drop += step;
        }
    }
}

/* Displacement that pushes overlapping segments apart, averaged where several meet; share (samples) is scratch. */
static void push_apart(const cst_strand_set *set, const cst_segment_pairs *pairs, double *move, double *share)
{
    size_t points = (size_t)set->strands * (size_t)set->samples;
    double touching = 2 * set->radius;
    memset(move, 0, 3 * points * sizeof *move);
    memset(share, 0, points * sizeof *share);
    for (int64_t k = 0; k < pairs->count; k++) {
        size_t at[2] = {(size_t)pairs->pair[k][0], (size_t)pairs->pair[k][1]};
        double s[2], d[3];
        const double *a = set->x + 3 * at[0], *b = set->x + 3 * at[1];
        cst_segment_closest(a, a + 3, b, b + 3, &s[0], &s[1], d);
        double distance = sqrt(cst_dot3(d, d));
        if (distance >= touching || distance < 1e-9)
            continue;
        double push = 0.5 * (touching - distance) / distance;
        for (int side = 0; side < 2; side++)
            for (int end = 0; end < 2; end++) {
                double weight = end ? s[side] : 1 - s[side];
                size_t point = at[side] + (size_t)end;
                share[point] += weight;
                for (int c = 0; c < 3; c++)
                    move[3 * point + (size_t)c] += (side ? -push : push) * weight * d[c];
            }
    }
    for (size_t i = 0; i < points; i++)
        for (size_t c = 0; c < 3; c++)
            move[3 * i + c] *= 2.5 / fmax(share[i], 1); /* over-relaxed: the projection takes part of it away */
}

/* Pull towards the axis of the cylinder (below it: towards its middle plane), and out of the cylinder. */
static void pull_to_head(const cst_strand_set *set, double pull, const double *x, double *move)
{
    double to_axis[2] = {-x[0], -fmax(x[2], 0)}, distance = sqrt(to_axis[0] * to_axis[0] + to_axis[1] * to_axis[1]);
    move[0] += pull * to_axis[0] / distance;
    move[2] += pull * to_axis[1] / distance;
    double moved[2] = {x[0] + move[0], x[2] + move[2]}, rho = sqrt(moved[0] * moved[0] + moved[1] * moved[1]);
    double lift = fmax(0, (set->head + set->radius) / rho - 1);
    move[0] += lift * moved[0];
    move[2] += lift * moved[1];
}

/* The pairs of `near` that are closer than reach. */
static bool filter(const cst_strand_set *set, const cst_segment_pairs *near, double reach, const cst_allocator *allocator,
                   cst_segment_pairs *out)
{
    out->count = 0;
    for (int64_t k = 0; k < near->count; k++) {
        const double *a = set->x + 3 * (int64_t)near->pair[k][0], *b = set->x + 3 * (int64_t)near->pair[k][1];
        double s, t, d[3];
        cst_segment_closest(a, a + 3, b, b + 3, &s, &t, d);
        if (cst_dot3(d, d) < reach * reach && !cst_segment_pairs_add(out, allocator, near->pair[k][0], near->pair[k][1]))
            return false;
    }
    return true;
}

/* Pairs are searched rarely with a wide skin and filtered often with a narrow one; one that slips through both stays too deep
 * and is no contact in the end. */
static bool relax(cst_strand_set *set, const double *span, cst_arena *arena)
{
    size_t m = (size_t)set->samples, points = (size_t)set->strands * m;
    const cst_allocator *allocator = &arena->allocator;
    double *move = CST_TAKE(arena, double, 3 * points), *share = CST_TAKE(arena, double, points), touching = 2 * set->radius;
    cst_segment_pairs near = {.count = 0}, active = {.count = 0};
    bool ok = move && share;
    for (int sweep = 0; ok && sweep < SWEEPS; sweep++) {
        if (sweep % SEARCH_EVERY == 0)
            ok = cst_strand_near_pairs(set, touching + SEARCH_SKIN, allocator, &near);
        if (ok && sweep % FILTER_EVERY == 0)
            ok = filter(set, &near, touching + FILTER_SKIN, allocator, &active);
        if (!ok)
            break;
        push_apart(set, &active, move, share);
        double pull = 3 * SINK / SWEEPS * fmax(1 - 1.5 * sweep / SWEEPS, 0); /* none in the last third */
        for (size_t i = 0; i < points; i++)
            pull_to_head(set, pull, set->x + 3 * i, move + 3 * i);
        for (int i = 0; i < set->strands; i++)
            project(span, set->samples, set->nodes, move + 3 * m * (size_t)i, true, set->x + 3 * m * (size_t)i);
    }
    cst_segment_pairs_free(&near);
    cst_segment_pairs_free(&active);
    return ok;
}

bool cst_strand_shape(cst_strand_set *set, int strands, int nodes, cst_rng *rng, cst_arena *arena)
{
    int controls = nodes + CST_STRAND_CLAMPED, samples = CST_STRAND_SEGMENTS_PER_NODE * nodes + 1;
    *set = (cst_strand_set){.strands = strands,
                            .nodes = nodes,
                            .controls = controls,
                            .samples = samples,
                            .radius = RADIUS,
                            .head = HEAD,
                            .length = LENGTH,
                            .basis = CST_TAKE(arena, double, samples *controls),
                            .x = CST_TAKE(arena, double, 3 * (size_t)samples * (size_t)strands)};
    double *span = CST_TAKE(arena, double, samples *controls);
    if (!set->basis || !set->x || !span)
        return false;
    spline_basis(controls, samples, set->basis);
    orthonormal_span(set, 0, controls, span);
    for (int i = 0; i < strands; i++) {
        double *x = set->x + 3 * (size_t)samples * (size_t)i;
        double y = (i + cst_rng_range(rng, 0.3, 0.7)) / PER_METRE;
        double place = i * 0.6180339887498949 + 0.05 * cst_rng_uniform(rng); /* golden lattice: even without a pattern */
        draw_strand(set, rng, y, ROOT_LOW + (ROOT_HIGH - ROOT_LOW) * (place - floor(place)), x);
        project(span, samples, controls, x, false, x);
    }
    orthonormal_span(set, CST_STRAND_CLAMPED, nodes, span);
    return relax(set, span, arena);
}
