/* Generates many bodies in 3D: in a row, on a grid, at random positions in a box, rotated about an axis, over the cap of a
 * sphere, or as a house of cards; hair and strands get only names here. As in 2D (generate.c), each generator has its own stream
 * of random numbers.
 *
 * Random positions: if a body with the drawn position and rotation would be nearer than `separation` to an earlier body, position
 * and rotation are drawn again. The distance of two fibers is measured between their centrelines, and the distance of two rigid
 * bodies between their positions. The positions of earlier bodies are stored in cubic cells. A cell is so wide that bodies whose
 * cells are not neighbours are farther apart than `separation`.
 *
 * Cap of a sphere: the positions form a Fibonacci lattice, in which all neighbours have nearly equal distances (Gonzalez,
 * Mathematical Geosciences 42, 2010). Symbols:
 *     `n`: number of positions.
 *     `i`: index of a position in the lattice, counted from 0.
 *     `a`: angle from the axis of the cap to its rim, seen from the centre of the sphere (key `opening`).
 *     `z`: height of the position along the axis of the cap, on the unit sphere.
 *     `f`: azimuth of the position.
 *
 *     `z = 1-(1-cos(a))*(i+1/2)/n`.
 *     `f = i*pi*(3-sqrt(5))`. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "collide/distance_segment.h"
#include "math/rotation_vector.h"
#include "scene/check.h"
#include "scene/define_space.h"
#include "scene/generate_cards.h"
#include "scene/generate_hair.h"
#include "scene/names.h"
#include "scene/values.h"

static const double pi = 3.14159265358979323846;

enum { ROW, GRID, RANDOM, RING, CAP, CARD_HOUSE, HAIR, STRANDS };
enum { THROWS_PER_BODY = 200 };

static cst_json *repeated(const cst_json *generator)
{
    const cst_json *of = cst_given(generator, "of");
    cst_json *fiber = cst_given(of, "fiber"), *rigid = cst_given(of, "rigid_body");
    return fiber ? fiber : rigid;
}

int cst_space_generator_count(const cst_json *generator)
{
    const cst_json *what = repeated(generator), *region = cst_given(generator, "region");
    bool sound = what && what->role && cst_get_text(generator, "name");
    int count = (int)cst_get_integer(generator, "count");
    switch (sound ? cst_get_choice(generator, "type") : -1) {
    case ROW:
        return cst_given(generator, "spacing") ? count : 0;
    case GRID: {
        double cells = cst_get_real(generator, "columns") * cst_get_real(generator, "rows") * cst_get_real(generator, "layers");
        return cst_given(generator, "spacing") ? (int)cells : 0; /* at most 1e9 */
    }
    case RANDOM:
        return cst_given(region, "from") && cst_given(region, "to") ? count : 0;
    case RING:
        return count;
    case CAP:
        return cst_given(generator, "radius") ? count : 0;
    case HAIR:
        return cst_given(cst_given(generator, "of"), "fiber") && cst_hair_scalp(generator) ? count : 0;
    case STRANDS:
        return cst_given(cst_given(generator, "of"), "fiber") && cst_given(generator, "file") ? count : 0;
    case CARD_HOUSE:
        return cst_cards_of_house((int)cst_get_integer(generator, "levels"));
    default:
        return 0;
    }
}

/* ---------------------------------------------------------------------------------------------------------------- rotations */

/* Draws a uniformly distributed rotation: a unit quaternion from a random point in the four-dimensional ball. */
static void any_rotation(cst_rng *rng, double *R)
{
    double q[4], square;
    do {
        for (int k = 0; k < 4; k++)
            q[k] = cst_rng_range(rng, -1.0, 1.0);
        square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    } while (!(square <= 1.0 && square > 1e-6));
    const double s = 2.0 / square, w = q[0], x = q[1], y = q[2], z = q[3];
    const double made[9] = {1.0 - s * (y * y + z * z), s * (x * y - w * z),       s * (x * z + w * y),
                            s * (x * y + w * z),       1.0 - s * (x * x + z * z), s * (y * z - w * x),
                            s * (x * z - w * y),       s * (y * z + w * x),       1.0 - s * (x * x + y * y)};
    memcpy(R, made, sizeof made);
}

static void about_axis(const double *axis, double angle, double *R)
{
    double w[3] = {axis[0], axis[1], axis[2]};
    cst_normalise3(w);
    for (int k = 0; k < 3; k++)
        w[k] *= angle;
    cst_rotation_vector_exp(w, R);
}

static void draw_turn(const cst_json *generator, cst_rng *rng, double *R)
{
    const cst_json *turned = cst_given(generator, "turned");
    memcpy(R, (const double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9 * sizeof *R);
    if (turned && turned->kind == CST_JSON_TEXT) {
        any_rotation(rng, R);
    } else if (turned && turned->role) {
        double axis[3];
        cst_get_vector(turned, "axis", axis);
        const double least = cst_get_real(turned, "from"), most = cst_get_real(turned, "to");
        const double share = cst_rng_uniform(rng);
        about_axis(axis, least + (most - least) * share, R);
    }
}

/* -------------------------------------------------------------------------------------------------------------------- strewn */

typedef struct darts {
    double from[3], cell, separation;
    /* array (points x 3): points of the centreline of the fiber that the generator copies, or the position of the rigid body,
     * before the generator displaces and rotates it; NULL if the key `separation` is 0 */
    const double *outline;
    int points;
    double reach; /* largest distance (m) of a point of the array `outline` from the origin */
    /* hash table of the cells: `head` is the index of the first body in each slot, `next` the index of the next body in the same
     * slot; -1: none */
    int *head, *next;
    size_t mask;
} darts;

static size_t slot_of(const darts *thrown, const int64_t *cell)
{
    uint64_t mixed = (uint64_t)cell[0] * 0x9E3779B97F4A7C15u ^ ((uint64_t)cell[1] + 0x7F4A7C15u) * 0xBF58476D1CE4E5B9u ^
                     ((uint64_t)cell[2] + 0x165667B1u) * 0x94D049BB133111EBu;
    return (size_t)(mixed ^ mixed >> 31) & thrown->mask;
}

static void cell_of(const darts *thrown, const double *place, int64_t *cell)
{
    for (int k = 0; k < 3; k++)
        cell[k] = (int64_t)floor((place[k] - thrown->from[k]) / thrown->cell);
}

static void point_of(const darts *thrown, const cst_scene_body *body, int i, double *out)
{
    cst_apply3(body->frame, thrown->outline + 3 * i, out);
    cst_add3(1.0, body->shift, out);
}

static bool near_each_other(const darts *thrown, const cst_scene_body *a, const cst_scene_body *b)
{
    double apart[3], p[6], q[6];
    cst_subtract3(a->shift, b->shift, apart);
    const double limit = thrown->separation;
    if (sqrt(cst_dot3(apart, apart)) >= limit + 2.0 * thrown->reach)
        return false;
    if (thrown->points == 1) {
        point_of(thrown, a, 0, p);
        point_of(thrown, b, 0, q);
        cst_subtract3(p, q, apart);
        return sqrt(cst_dot3(apart, apart)) < limit;
    }
    for (int i = 1; i < thrown->points; i++) {
        point_of(thrown, a, i - 1, p);
        point_of(thrown, a, i, p + 3);
        for (int k = 1; k < thrown->points; k++) {
            point_of(thrown, b, k - 1, q);
            point_of(thrown, b, k, q + 3);
            if (cst_segment_segment(p, p + 3, q, q + 3).distance < limit)
                return true;
        }
    }
    return false;
}

static bool too_close(const darts *thrown, const cst_scene_body *body, const cst_scene_body *now)
{
    int64_t middle[3];
    cell_of(thrown, now->shift, middle);
    for (int64_t neighbour = 0; neighbour < 27; neighbour++) {
        const int64_t cell[3] = {middle[0] + neighbour % 3 - 1, middle[1] + neighbour / 3 % 3 - 1, middle[2] + neighbour / 9 - 1};
        for (int i = thrown->head[slot_of(thrown, cell)]; i >= 0; i = thrown->next[i])
            if (near_each_other(thrown, &body[i], now))
                return true;
    }
    return false;
}

static bool begin_darts(darts *thrown, const cst_json *generator, int count, const double *from, const double *to,
                        cst_arena *arena)
{
    const cst_json *what = repeated(generator);
    *thrown = (darts){.separation = cst_get_real(generator, "separation"), .mask = 1};
    memcpy(thrown->from, from, sizeof thrown->from);
    if (thrown->separation > 0.0 && cst_given(cst_given(generator, "of"), "fiber")) {
        cst_fiber_def def = cst_define_fiber(what, NULL, arena, NULL);
        thrown->outline = cst_fiber_outline(&def, arena);
        thrown->points = thrown->outline ? def.elements + 1 : 0;
    } else if (thrown->separation > 0.0) {
        double *position = CST_TAKE(arena, double, 3);
        if (position)
            cst_get_vector(what, "position", position);
        thrown->outline = position;
        thrown->points = position ? 1 : 0;
    }
    for (int i = 0; i < thrown->points; i++) {
        const double *p = thrown->outline + 3 * i;
        thrown->reach = fmax(thrown->reach, sqrt(cst_dot3(p, p)));
    }
    double extent = fmax(fmax(to[0] - from[0], to[1] - from[1]), to[2] - from[2]);
    /* The size of a cell is never 0. The box has at most a million cells along each axis, so that a double holds every cell
     * index exactly. */
    thrown->cell = fmax(fmax(thrown->separation + 2.0 * thrown->reach, extent * 1e-6), 1e-300);
    while (thrown->mask < 2 * (size_t)count)
        thrown->mask *= 2;
    thrown->head = CST_TAKE(arena, int, thrown->mask);
    thrown->next = CST_TAKE(arena, int, count);
    if (!thrown->head || !thrown->next)
        return false;
    memset(thrown->head, -1, thrown->mask * sizeof *thrown->head);
    thrown->mask--;
    return true;
}

static bool strew(cst_json *generator, int count, cst_scene_body *body, cst_rng *rng, cst_mistakes *mistakes)
{
    const cst_json *region = cst_given(generator, "region");
    double from[3], to[3];
    cst_get_vector(region, "from", from);
    cst_get_vector(region, "to", to);
    for (int k = 0; k < 3; k++) {
        if (!(to[k] >= from[k] && isfinite(to[k] - from[k]))) {
            cst_mistake_at(mistakes, cst_given(region, "to"), "lies below \"from\" along %c: the box is empty", "xyz"[k]);
            return true;
        }
    }
    darts thrown;
    if (!begin_darts(&thrown, generator, count, from, to, mistakes->arena))
        return false;
    int64_t throws = 0;
    int done = 0;
    while (done < count && throws < (int64_t)THROWS_PER_BODY * count) {
        cst_scene_body *now = &body[done];
        for (int k = 0; k < 3; k++)
            now->shift[k] = cst_rng_range(rng, from[k], to[k]);
        draw_turn(generator, rng, now->frame);
        throws++;
        if (thrown.separation > 0.0 && too_close(&thrown, body, now))
            continue;
        int64_t cell[3];
        cell_of(&thrown, now->shift, cell);
        size_t slot = slot_of(&thrown, cell);
        thrown.next[done] = thrown.head[slot];
        thrown.head[slot] = done++;
    }
    cst_generator_filled(generator, done, count, mistakes);
    return true;
}

/* ------------------------------------------------------------------------------------------------------------------- in order */

static void line_up(const cst_json *generator, int count, cst_scene_body *body)
{
    double spacing[3];
    cst_get_vector(generator, "spacing", spacing);
    bool grid = cst_get_choice(generator, "type") == GRID;
    int columns = grid ? (int)cst_get_integer(generator, "columns") : 0, rows = (int)cst_get_integer(generator, "rows");
    for (int i = 0; i < count; i++) {
        int number[3] = {i, i, i};
        if (grid) {
            number[0] = i % columns;
            number[1] = i / columns % rows;
            number[2] = i / columns / rows;
        }
        for (int k = 0; k < 3; k++)
            body[i].shift[k] = number[k] * spacing[k];
    }
}

static void turn_around(const cst_json *generator, int count, cst_scene_body *body)
{
    double axis[3];
    cst_get_vector(generator, "axis", axis);
    const double step = cst_get_real_or(generator, "step", 2.0 * pi / count);
    for (int i = 0; i < count; i++) {
        cst_get_vector(generator, "center", body[i].shift);
        about_axis(axis, i * step, body[i].frame);
    }
}

static void spread(const cst_json *generator, int count, cst_scene_body *body)
{
    double axis[3], center[3], top[9];
    cst_get_vector(generator, "axis", axis);
    cst_get_vector(generator, "center", center);
    const double radius = cst_get_real(generator, "radius"), opening = cst_get_real_or(generator, "opening", pi / 2.0);
    cst_frame_along(axis, 2, NULL, top);
    for (int i = 0; i < count; i++) {
        const double height = 1.0 - (1.0 - cos(opening)) * (i + 0.5) / count, azimuth = i * pi * (3.0 - sqrt(5.0));
        const double across = sqrt(fmax(1.0 - height * height, 0.0));
        const double lean[3] = {-sin(azimuth), cos(azimuth), 0.0}; /* axis of the tilt */
        double leant[9];
        about_axis(lean, atan2(across, height), leant);
        cst_product3(top, leant, body[i].frame);
        for (int k = 0; k < 3; k++)
            body[i].shift[k] = center[k] + radius * body[i].frame[3 * k + 2];
    }
}

bool cst_space_generator_run(cst_json *generator, int count, cst_scene_body *body, cst_mistakes *mistakes)
{
    if (count == 0)
        return true;
    cst_rng rng;
    cst_rng_seed(&rng, (uint64_t)cst_get_integer(generator, "seed"), (uint64_t)generator->index);
    for (int i = 0; i < count; i++)
        memcpy(body[i].frame, (const double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof body[i].frame);
    int type = cst_get_choice(generator, "type");
    if (type == RANDOM && !strew(generator, count, body, &rng, mistakes))
        return false;
    if (type == RING)
        turn_around(generator, count, body);
    else if (type == CAP)
        spread(generator, count, body);
    else if (type == CARD_HOUSE)
        cst_build_card_house(generator, repeated(generator), count, body, mistakes);
    else if (type != RANDOM && type != HAIR && type != STRANDS)
        line_up(generator, count, body);
    const char *name = cst_get_text(generator, "name");
    const double jitter = cst_get_real(generator, "jitter");
    for (int i = 0; i < count; i++) {
        cst_text own = {.arena = mistakes->arena};
        cst_text_add(&own, "%s_%d", name, i + 1);
        body[i].name = cst_text_all(&own);
        body[i].node = repeated(generator);
        if (type == HAIR || type == STRANDS) {
            body[i].scalp = cst_given(generator, "scalp") ? cst_hair_scalp(generator) : NULL;
            body[i].generator = generator;
            body[i].number = i;
            continue;
        }
        body[i].rigid = !cst_given(cst_given(generator, "of"), "fiber");
        for (int k = 0; k < 3; k++)
            body[i].shift[k] += jitter * cst_rng_range(&rng, -1.0, 1.0);
        if (type != RANDOM) {
            double put[9], turn[9];
            memcpy(put, body[i].frame, sizeof put);
            draw_turn(generator, &rng, turn);
            cst_product3(put, turn, body[i].frame);
        }
    }
    return !mistakes->arena->failed;
}
