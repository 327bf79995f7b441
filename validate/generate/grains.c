/* Rigid grains with a known solution.
 *
 * Grains are the cells of a packing: centres spread in a cube, the contact between two neighbours on the segment of their centres in
 * the ratio of their radii, moved a little along the common face and its normal tilted, so that normal impulses turn the
 * grains too. One contact in five is with a wall. Arms are those of the packing, the same point for both sides. Masses are
 * log-uniform, inertias full 3 x 3 matrices. Beyond nu = 1 W has not full rank and most drawn sets of cases hold each other. */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "generate/builder.h"
#include "generate/makers.h"
#include "generate/vector.h"

enum { NEAREST = 24, STREAM = 2 };

typedef struct grain {
    double centre[3];
    double radius;
    double mass;
    int contacts;
    unsigned walls; /* bit per face of the cube: touched */
} grain;

typedef struct pair {
    double distance; /* in units of the sum of the radii */
    int32_t a, b;    /* a < b */
    int used;
} pair;

static int nearer(const void *x, const void *y)
{
    const pair *p = x, *q = y;
    if (p->distance != q->distance)
        return p->distance < q->distance ? -1 : 1;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

static double scaled_distance(const grain *a, const grain *b)
{
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = a->centre[k] - b->centre[k];
    return sqrt(cst_dot3(d, d)) / (a->radius + b->radius);
}

/* Centres one by one, each the farthest of eight tries from those before: even, yet random. */
static void place(cst_rng *rng, grain *grains, int count, double mass_ratio)
{
    double side = 1; /* of a cube with one grain per unit of volume; Newton, as libraries differ in the last bit of a cube root */
    for (int k = 0; k < 60; k++)
        side = (2 * side + count / (side * side)) / 3;
    for (int i = 0; i < count; i++) {
        grain *g = grains + i;
        g->radius = cst_rng_range(rng, 0.4, 0.7);
        g->mass = cst_rng_log_range(rng, 1, mass_ratio);
        double farthest = -1;
        for (int attempt = 0; attempt < 8; attempt++) {
            grain trial = *g;
            for (int k = 0; k < 3; k++)
                trial.centre[k] = cst_rng_range(rng, 0, side);
            double closest = 1e300;
            for (int j = 0; j < i; j++)
                closest = fmin(closest, scaled_distance(&trial, grains + j));
            if (closest > farthest) {
                farthest = closest;
                *g = trial;
            }
        }
    }
}

/* Pairs of near neighbours, nearest first; *pairs is their number. */
static pair *neighbours(cst_arena *scratch, const grain *grains, int count, int *pairs)
{
    int near = count - 1 < NEAREST ? count - 1 : NEAREST;
    pair *all = CST_TAKE(scratch, pair, (size_t)count * (size_t)(near + 1));
    pair *of_one = CST_TAKE(scratch, pair, count);
    if (!all || !of_one)
        return NULL;
    int found = 0;
    for (int i = 0; i < count; i++) {
        int others = 0;
        for (int j = 0; j < count; j++)
            if (j != i)
                of_one[others++] =
                    (pair){.distance = scaled_distance(grains + i, grains + j), .a = i < j ? i : j, .b = i < j ? j : i};
        qsort(of_one, (size_t)others, sizeof *of_one, nearer);
        for (int k = 0; k < near; k++)
            all[found++] = of_one[k];
    }
    qsort(all, (size_t)found, sizeof *all, nearer);
    int kept = 0;
    for (int k = 0; k < found; k++) /* a pair of mutual neighbours is there twice, side by side */
        if (kept == 0 || all[k].a != all[kept - 1].a || all[k].b != all[kept - 1].b)
            all[kept++] = all[k];
    *pairs = kept;
    return all;
}

/* `wanted` pairs into chosen: nearest first while both grains have fewer than `most` contacts, a bound that grows pass by pass.
 * A pair comes again only when all have come: two contacts of one face. */
static void choose(pair *pairs, int count, grain *grains, int wanted, int *chosen)
{
    int found = 0;
    for (int round = 0, most = 1; found < wanted; round++)
        for (int left = count; left > 0 && found < wanted; most++)
            for (int k = 0; k < count && found < wanted; k++) {
                grain *a = grains + pairs[k].a, *b = grains + pairs[k].b;
                if (pairs[k].used > round || a->contacts >= most || b->contacts >= most)
                    continue;
                a->contacts++;
                b->contacts++;
                pairs[k].used++;
                left--;
                chosen[found++] = k;
            }
}

static void tilt(cst_rng *rng, double *normal)
{
    for (int k = 0; k < 3; k++)
        normal[k] += 0.25 * cst_rng_normal(rng);
    cst_normalise3(normal);
}

static void set_frame(cst_builder *builder, cst_rng *rng, int contact, double *normal)
{
    double hint[3];
    tilt(rng, normal);
    cst_rng_direction(rng, 3, hint);
    cst_frame3(normal, hint, builder->frame + 9 * contact);
}

static bool touch_grain(cst_builder *builder, cst_rng *rng, const grain *grains, const pair *p, int contact)
{
    const grain *a = grains + p->a, *b = grains + p->b;
    double normal[3], arm_a[3], arm_b[3], share = a->radius / (a->radius + b->radius);
    for (int k = 0; k < 3; k++)
        normal[k] = a->centre[k] - b->centre[k];
    cst_normalise3(normal);
    for (int k = 0; k < 3; k++) {
        double on_face = 0.3 * a->radius * cst_rng_normal(rng);
        double point = a->centre[k] + share * (b->centre[k] - a->centre[k]) + (1 - normal[k] * normal[k]) * on_face;
        arm_a[k] = point - a->centre[k];
        arm_b[k] = point - b->centre[k];
    }
    set_frame(builder, rng, contact, normal);
    return cst_builder_attach_rigid(builder, contact, 'a', p->a, arm_a) &&
           cst_builder_attach_rigid(builder, contact, 'b', p->b, arm_b);
}

/* The grain nearest to the wall that does not touch it yet (any, once all do). */
static int nearest_to_wall(const grain *grains, int count, int axis, double sign, unsigned face)
{
    int best = -1;
    for (int i = 0; i < count; i++)
        if (!(grains[i].walls & face) && (best < 0 || sign * grains[i].centre[axis] > sign * grains[best].centre[axis]))
            best = i;
    return best < 0 ? 0 : best;
}

static bool touch_wall(cst_builder *builder, cst_rng *rng, grain *grains, int count, int wall, int contact)
{
    int axis = wall % 6 / 2, which = nearest_to_wall(grains, count, axis, wall % 2 ? 1 : -1, 1u << wall % 6);
    grain *g = grains + which;
    double normal[3] = {0, 0, 0}, arm[3];
    normal[axis] = wall % 2 ? -1 : 1;
    for (int k = 0; k < 3; k++)
        arm[k] = k == axis ? -normal[axis] * g->radius : 0.3 * g->radius * cst_rng_normal(rng);
    set_frame(builder, rng, contact, normal);
    g->walls |= 1u << wall % 6;
    cst_builder_attach_obstacle(builder, contact, 'b');
    return cst_builder_attach_rigid(builder, contact, 'a', which, arm);
}

/* Principal moments within what a solid can have, in random axes. */
static bool make_body(cst_builder *builder, cst_rng *rng, int body, const grain *g)
{
    if (!cst_builder_dense(builder, body, 6))
        return false;
    double axis[9], direction[3], hint[3];
    cst_rng_direction(rng, 3, direction);
    cst_rng_direction(rng, 3, hint);
    cst_frame3(direction, hint, axis);
    double *matrix = builder->matrix[body];
    for (int k = 0; k < 3; k++) {
        matrix[7 * k] = g->mass;
        double moment = 0.4 * g->mass * g->radius * g->radius * cst_rng_range(rng, 0.75, 1.4);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                matrix[6 * (3 + i) + 3 + j] += moment * axis[3 * k + i] * axis[3 * k + j];
    }
    return true;
}

static cst_generated *make(const char *name, int contacts, double nu, double mass_ratio, uint64_t seed,
                           const cst_family_parameters *parameters, const cst_allocator *allocator)
{
    cst_family_parameters asked = cst_asked(parameters);
    int n = cst_or_count(asked.contacts, contacts);
    nu = cst_or_positive(asked.nu, nu);
    double mu = cst_or_not_negative(asked.mu, 0.3);
    mass_ratio = fmax(1, cst_or_positive(asked.mass_ratio, mass_ratio));
    int bodies = cst_or_count(asked.bodies, (int)fmin(floor(n / (2 * nu) + 0.5), 1e8));
    bodies = bodies < 2 ? 2 : bodies;

    cst_rng rng;
    cst_rng_seed(&rng, seed, STREAM);
    cst_builder builder;
    if (!cst_builder_begin(&builder, 3, seed, allocator) || !cst_builder_bodies(&builder, bodies) ||
        !cst_builder_contacts(&builder, n))
        return cst_builder_abandon(&builder);
    grain *grains = CST_TAKE(&builder.scratch, grain, bodies);
    int *chosen = CST_TAKE(&builder.scratch, int, n);
    if (!grains || !chosen)
        return cst_builder_abandon(&builder);
    place(&rng, grains, bodies, mass_ratio);
    int pair_count, between_grains = n - n / 5;
    pair *pairs = neighbours(&builder.scratch, grains, bodies, &pair_count);
    bool ok = pairs;
    if (ok)
        choose(pairs, pair_count, grains, between_grains, chosen);
    for (int i = 0; ok && i < bodies; i++)
        ok = make_body(&builder, &rng, i, grains + i);
    for (int i = 0; ok && i < n; i++) {
        builder.mu[i] = mu;
        ok = i < between_grains ? touch_grain(&builder, &rng, grains, pairs + chosen[i], i)
                                : touch_wall(&builder, &rng, grains, bodies, i - between_grains, i);
    }
    if (!ok || !cst_builder_make_known(&builder, &rng, 1))
        return cst_builder_abandon(&builder);
    return cst_builder_finish(&builder, "%s nu=%.3g mu=%.3g mass ratio %.4g (%d)", name, n / (2.0 * bodies), mu, mass_ratio, n);
}

CST_MAKER(cst_make_grains)
{
    return make("grains", 40, 1, 10, seed, parameters, allocator);
}

CST_MAKER(cst_make_grains_nu2)
{
    return make("grains-nu2", 80, 2, 100, seed, parameters, allocator);
}
