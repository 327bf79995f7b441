/* Planar problems: an arch of stone blocks, a house of cards, a train of discs on a slope. Rigid bodies with dofs (x, y, spin), gravity
 * in the step (dt = 0.01 s), sizes and masses varied by the seed.
 *
 * Feasible, as each can be taken apart with every contact opening faster than it slides: lift the arch while spreading its
 * blocks along the ring; lift each storey of cards more than the one below while opening the tents; move disc k up the slope by k
 * and all of them, faster, off it. */
#include <math.h>

#include "base/rng.h"
#include "generate/builder.h"
#include "generate/makers.h"

enum { STREAM = 7 };
static const double DT = 0.01, GRAVITY = 9.81;

typedef struct planar_body {
    double centre[2];
    double mass;
    double inertia;
} planar_body;

typedef struct planar_touch {
    int a, b; /* b -1: the ground */
    double point[2];
    double normal[2]; /* from B to A */
} planar_touch;

typedef struct planar_scene {
    int bodies, contacts;
    planar_body *body;
    planar_touch *touch;
} planar_scene;

static bool take_scene(cst_builder *builder, planar_scene *scene, int bodies, int contacts)
{
    *scene = (planar_scene){.bodies = bodies,
                            .contacts = contacts,
                            .body = CST_TAKE(&builder->scratch, planar_body, bodies),
                            .touch = CST_TAKE(&builder->scratch, planar_touch, contacts)};
    return scene->body && scene->touch;
}

/* gravity (2): its direction, of any length near 1; mu varied by a tenth from contact to contact */
static bool build(cst_builder *builder, const planar_scene *scene, const double *gravity, double mu, cst_rng *rng)
{
    if (!cst_builder_bodies(builder, scene->bodies) || !cst_builder_contacts(builder, scene->contacts))
        return false;
    for (int i = 0; i < scene->bodies; i++) {
        const planar_body *body = scene->body + i;
        if (!cst_builder_dense(builder, i, 3))
            return false;
        builder->matrix[i][0] = builder->matrix[i][4] = body->mass;
        builder->matrix[i][8] = body->inertia;
        for (int k = 0; k < 2; k++)
            builder->rhs[i][k] = body->mass * DT * GRAVITY * gravity[k];
    }
    for (int i = 0; i < scene->contacts; i++) {
        const planar_touch *touch = scene->touch + i;
        double *frame = builder->frame + 4 * (size_t)i;
        double length = sqrt(touch->normal[0] * touch->normal[0] + touch->normal[1] * touch->normal[1]);
        frame[0] = frame[3] = touch->normal[0] / length;
        frame[1] = touch->normal[1] / length;
        frame[2] = -frame[1];
        builder->mu[i] = mu * cst_rng_range(rng, 0.9, 1.1);
        const int side_body[2] = {touch->a, touch->b};
        for (int side = 0; side < 2; side++) {
            char name = side == 0 ? 'a' : 'b';
            if (side_body[side] < 0) {
                cst_builder_attach_obstacle(builder, i, name);
                continue;
            }
            const double *centre = scene->body[side_body[side]].centre;
            const double arm[2] = {touch->point[0] - centre[0], touch->point[1] - centre[1]};
            if (!cst_builder_attach_rigid(builder, i, name, side_body[side], arm))
                return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------------------- arch */

/* Mass, centre and inertia of a quadrilateral of unit density, from the triangles (0, p_k, p_k+1). */
static planar_body quadrilateral(const double corner[4][2])
{
    planar_body body = {.mass = 0};
    double about_origin = 0;
    for (int k = 0; k < 4; k++) {
        const double *p = corner[k], *q = corner[(k + 1) % 4];
        double cross = p[0] * q[1] - p[1] * q[0];
        body.mass += cross / 2;
        for (int c = 0; c < 2; c++) {
            body.centre[c] += cross / 6 * (p[c] + q[c]);
            about_origin += cross / 12 * (p[c] * p[c] + p[c] * q[c] + q[c] * q[c]);
        }
    }
    for (int c = 0; c < 2; c++)
        body.centre[c] /= body.mass;
    body.inertia = about_origin - body.mass * (body.centre[0] * body.centre[0] + body.centre[1] * body.centre[1]);
    return body;
}

/* Point of the unit half circle, from the left foot (t = -1) over the top to the right one (t = 1). */
static void half_circle(double t, double *x)
{
    x[0] = 2 * t / (1 + t * t);
    x[1] = (1 - t * t) / (1 + t * t);
}

/* Joints carry an inner and an outer contact; the feet stand on the ground. */
CST_MAKER(cst_make_arch)
{
    cst_family_parameters asked = cst_asked(parameters);
    int blocks = cst_or_count(asked.bodies, cst_or_count(asked.contacts / 2 - 1, 11));
    blocks = blocks < 3 ? 3 : blocks; /* fewer do not make a ring */
    double mu = cst_or_not_negative(asked.mu, 0.6), push = cst_or_not_negative(asked.push, 0.1);
    cst_rng rng;
    cst_rng_seed(&rng, seed, STREAM);
    cst_builder builder;
    planar_scene scene;
    if (!cst_builder_begin(&builder, 2, seed, allocator) || !take_scene(&builder, &scene, blocks, 2 * (blocks + 1)))
        return cst_builder_abandon(&builder);

    double inner = 1, outer = cst_rng_range(&rng, 1.15, 1.3), here[2], before[2] = {-1, 0};
    for (int joint = 0; joint <= blocks; joint++) {
        double shift = joint == 0 || joint == blocks ? 0 : cst_rng_range(&rng, -0.2, 0.2);
        half_circle(2 * (joint + shift) / blocks - 1, here);
        if (joint > 0) {
            const double corner[4][2] = {{inner * before[0], inner * before[1]},
                                         {inner * here[0], inner * here[1]},
                                         {outer * here[0], outer * here[1]},
                                         {outer * before[0], outer * before[1]}};
            scene.body[joint - 1] = quadrilateral(corner);
        }
        bool last = joint == blocks;
        for (int k = 0; k < 2; k++) {
            double radius = k == 0 ? inner : outer;
            scene.touch[2 * joint + k] = (planar_touch){.a = last ? joint - 1 : joint,
                                                        .b = last ? -1 : joint - 1,
                                                        .point = {radius * here[0], radius * here[1]},
                                                        .normal = {last ? -here[1] : here[1], last ? here[0] : -here[0]}};
        }
        before[0] = here[0];
        before[1] = here[1];
    }
    const double gravity[2] = {push * cst_rng_range(&rng, 0.9, 1.1), -1};
    if (!build(&builder, &scene, gravity, mu, &rng))
        return cst_builder_abandon(&builder);
    return cst_builder_finish(&builder, "arch of %d mu=%.3g (%d)", blocks, mu, scene.contacts);
}

/* ------------------------------------------------------------------------------------------------------------------ cards */

static planar_body card(double x0, double y0, double x1, double y1, double mass)
{
    double dx = x1 - x0, dy = y1 - y0;
    return (planar_body){.centre = {0.5 * (x0 + x1), 0.5 * (y0 + y1)}, .mass = mass, .inertia = mass * (dx * dx + dy * dy) / 12};
}

typedef struct card_counts {
    int tents, roofs; /* below a storey, or in all */
} card_counts;

/* Storey s of n has n - s tents and n - s - 1 roofs. */
static card_counts cards_below(int storeys, int storey)
{
    int tents = storey * storeys - storey * (storey - 1) / 2;
    return (card_counts){tents, tents - storey};
}

/* Tents of two leaning cards; a roof joins neighbouring tops and carries a tent of the next storey. Bodies: left and right card of
 * every tent, then the roofs. Contacts: two feet and a top of every tent, then two of every roof. */
CST_MAKER(cst_make_cards)
{
    cst_family_parameters asked = cst_asked(parameters);
    int storeys = 1;
    int contacts = cst_or_count(asked.contacts, 24);
    while (5 * (storeys + 1) * (storeys + 2) / 2 - 2 * (storeys + 1) <= contacts) /* 3 tents + 2 roofs, one storey more */
        storeys++;
    double mu = cst_or_not_negative(asked.mu, 0.5);
    card_counts all = cards_below(storeys, storeys);
    cst_rng rng;
    cst_rng_seed(&rng, seed, STREAM);
    cst_builder builder;
    planar_scene scene;
    if (!cst_builder_begin(&builder, 2, seed, allocator) ||
        !take_scene(&builder, &scene, 2 * all.tents + all.roofs, 3 * all.tents + 2 * all.roofs))
        return cst_builder_abandon(&builder);

    double width = cst_rng_range(&rng, 0.6, 0.9), height = 1;
    for (int s = 0; s < storeys; s++) {
        card_counts below = cards_below(storeys, s);
        for (int i = 0; i < storeys - s; i++) {
            int tent = below.tents + i, left = 2 * tent, right = left + 1;
            double x = width * (i + 0.5 * s), y = height * s, top = x + width * cst_rng_range(&rng, 0.45, 0.55);
            double left_mass = cst_rng_range(&rng, 0.8, 1.2), right_mass = cst_rng_range(&rng, 0.8, 1.2);
            /* the roof under this tent: number i of the storey below, which has storeys - s roofs */
            int under = s == 0 ? -1 : 2 * all.tents + cards_below(storeys, s - 1).roofs + i;
            scene.body[left] = card(x, y, top, y + height, left_mass);
            scene.body[right] = card(x + width, y, top, y + height, right_mass);
            scene.touch[3 * tent] = (planar_touch){left, under, {x, y}, {0, 1}};
            scene.touch[3 * tent + 1] = (planar_touch){right, under, {x + width, y}, {0, 1}};
            scene.touch[3 * tent + 2] = (planar_touch){right, left, {top, y + height}, {1, 0}};
        }
        for (int i = 0; i < storeys - s - 1; i++) {
            int roof = below.roofs + i, body = 2 * all.tents + roof, first = 3 * all.tents + 2 * roof;
            int left_tent = below.tents + i;
            const double *from = scene.touch[3 * left_tent + 2].point, *to = scene.touch[3 * left_tent + 5].point;
            scene.body[body] = card(from[0], from[1], to[0], to[1], cst_rng_range(&rng, 0.8, 1.2));
            scene.touch[first] = (planar_touch){body, 2 * left_tent + 1, {from[0], from[1]}, {0, 1}};
            scene.touch[first + 1] = (planar_touch){body, 2 * left_tent + 2, {to[0], to[1]}, {0, 1}};
        }
    }
    const double gravity[2] = {cst_or_not_negative(asked.push, 0.05), -1};
    if (!build(&builder, &scene, gravity, mu, &rng))
        return cst_builder_abandon(&builder);
    return cst_builder_finish(&builder, "cards %d storeys mu=%.3g (%d)", storeys, mu, scene.contacts);
}

/* ------------------------------------------------------------------------------------------------------------------ discs */

/* Axes along and across the slope, which rises with x; disc 0 leans on a stop at its foot. */
CST_MAKER(cst_make_discs)
{
    cst_family_parameters asked = cst_asked(parameters);
    int discs = cst_or_count(asked.bodies, cst_or_count(asked.contacts / 2, 12));
    double mu = cst_or_not_negative(asked.mu, 0.4);
    cst_rng rng;
    cst_rng_seed(&rng, seed, STREAM);
    cst_builder builder;
    planar_scene scene;
    if (!cst_builder_begin(&builder, 2, seed, allocator) || !take_scene(&builder, &scene, discs, 2 * discs))
        return cst_builder_abandon(&builder);
    double x = 0, before = 0;
    for (int i = 0; i < discs; i++) {
        double radius = cst_rng_range(&rng, 0.4, 0.6);
        double mass = radius * radius * cst_rng_log_range(&rng, 1, fmax(1, cst_or_positive(asked.mass_ratio, 2)));
        x += i == 0 ? radius : 2 * sqrt(radius * before); /* touching circles on a line */
        scene.body[i] = (planar_body){.centre = {x, radius}, .mass = mass, .inertia = 0.5 * mass * radius * radius};
        scene.touch[2 * i] = (planar_touch){i, -1, {x, 0}, {0, 1}};
        if (i == 0) {
            scene.touch[1] = (planar_touch){0, -1, {0, radius}, {1, 0}};
        } else {
            const double *from = scene.body[i - 1].centre;
            double n[2] = {(x - from[0]) / (radius + before), (radius - from[1]) / (radius + before)};
            scene.touch[2 * i + 1] = (planar_touch){i, i - 1, {from[0] + before * n[0], from[1] + before * n[1]}, {n[0], n[1]}};
        }
        before = radius;
    }
    const double gravity[2] = {-cst_or_not_negative(asked.push, 0.4), -1};
    if (!build(&builder, &scene, gravity, mu, &rng))
        return cst_builder_abandon(&builder);
    return cst_builder_finish(&builder, "discs %d mu=%.3g (%d)", discs, mu, scene.contacts);
}
