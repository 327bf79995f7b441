/* A stack of boxes, four contacts per interface, the bottom one on the ground.
 *
 * Gravity acts in the step (dt = 0.01 s) and a force may push the top box sideways. About unit cubes of unit mass: a seed
 * varies sizes, masses, offsets, friction and push by some per cent. nu = 2: of the twelve impulse components of an interface
 * the motion sees six, W is singular, while the velocities are physical. Feasible: moving box k up by k opens every contact. */
#include <math.h>

#include "base/rng.h"
#include "generate/builder.h"
#include "generate/makers.h"
#include "generate/vector.h"

enum { STREAM = 3 };
static const double DT = 0.01, GRAVITY = 9.81;

typedef struct box {
    double centre[3];
    double half[3];
    double mass;
} box;

static bool make_body(cst_builder *builder, int body, const box *b)
{
    if (!cst_builder_dense(builder, body, 6))
        return false;
    const double *h = b->half;
    const double squares = h[0] * h[0] + h[1] * h[1] + h[2] * h[2];
    for (int k = 0; k < 3; k++) {
        builder->matrix[body][7 * k] = b->mass;
        builder->matrix[body][7 * (3 + k)] = b->mass / 3 * (squares - h[k] * h[k]);
    }
    builder->rhs[body][2] = -b->mass * DT * GRAVITY;
    return true;
}

/* Corners of the rectangle that two boxes share; below NULL: the ground. */
static bool make_interface(cst_builder *builder, cst_rng *rng, const box *boxes, int upper, double mu)
{
    const box *above = boxes + upper, *below = upper > 0 ? boxes + upper - 1 : NULL;
    double low[2], high[2], height = above->centre[2] - above->half[2], hint[3] = {0, 0, 0};
    for (int k = 0; k < 2; k++) {
        low[k] = above->centre[k] - above->half[k];
        high[k] = above->centre[k] + above->half[k];
        if (below) {
            low[k] = fmax(low[k], below->centre[k] - below->half[k]);
            high[k] = fmin(high[k], below->centre[k] + below->half[k]);
        }
    }
    cst_rng_direction(rng, 2, hint);
    for (int corner = 0; corner < 4; corner++) {
        int contact = 4 * upper + corner;
        double point[3] = {corner & 1 ? high[0] : low[0], corner & 2 ? high[1] : low[1], height}, arm[3];
        cst_frame3((const double[]){0, 0, 1}, hint, builder->frame + 9 * contact);
        builder->mu[contact] = mu;
        for (int k = 0; k < 3; k++)
            arm[k] = point[k] - above->centre[k];
        if (!cst_builder_attach_rigid(builder, contact, 'a', upper, arm))
            return false;
        if (!below) {
            cst_builder_attach_obstacle(builder, contact, 'b');
            continue;
        }
        for (int k = 0; k < 3; k++)
            arm[k] = point[k] - below->centre[k];
        if (!cst_builder_attach_rigid(builder, contact, 'b', upper - 1, arm))
            return false;
    }
    return true;
}

static cst_generated *make(const char *name, double push, uint64_t seed, const cst_family_parameters *parameters,
                           const cst_allocator *allocator)
{
    cst_family_parameters asked = cst_asked(parameters);
    int bodies = cst_or_count(asked.bodies, cst_or_count(asked.contacts / 4, 6));
    double mu = cst_or_not_negative(asked.mu, 0.5), mass_ratio = fmax(1, cst_or_positive(asked.mass_ratio, 1.2));
    push = cst_or_not_negative(asked.push, push);

    cst_rng rng;
    cst_rng_seed(&rng, seed, STREAM);
    cst_builder builder;
    if (!cst_builder_begin(&builder, 3, seed, allocator) || !cst_builder_bodies(&builder, bodies) ||
        !cst_builder_contacts(&builder, 4 * bodies))
        return cst_builder_abandon(&builder);
    box *boxes = CST_TAKE(&builder.scratch, box, bodies);
    bool ok = boxes;
    double top = 0;
    for (int i = 0; ok && i < bodies; i++) {
        for (int k = 0; k < 3; k++)
            boxes[i].half[k] = 0.5 * cst_rng_range(&rng, 0.9, 1.1);
        boxes[i].centre[0] = cst_rng_range(&rng, -0.05, 0.05);
        boxes[i].centre[1] = cst_rng_range(&rng, -0.05, 0.05);
        boxes[i].centre[2] = top + boxes[i].half[2];
        boxes[i].mass = cst_rng_log_range(&rng, 1, mass_ratio);
        top += 2 * boxes[i].half[2];
        ok = make_body(&builder, i, boxes + i) && make_interface(&builder, &rng, boxes, i, mu * cst_rng_range(&rng, 0.9, 1.1));
    }
    if (!ok)
        return cst_builder_abandon(&builder);
    double *rhs = builder.rhs[bodies - 1], impulse = boxes[bodies - 1].mass * push * cst_rng_range(&rng, 0.9, 1.1);
    rhs[0] += impulse;
    rhs[1] += 0.1 * impulse * cst_rng_normal(&rng);
    return cst_builder_finish(&builder, "%s push=%.3g mu=%.3g (%d)", name, push, mu, 4 * bodies);
}

CST_MAKER(cst_make_boxes)
{
    return make("boxes", 0, seed, parameters, allocator);
}

CST_MAKER(cst_make_boxes_pushed)
{
    return make("boxes-pushed", 0.5, seed, parameters, allocator);
}
