/* Generates many bodies: in a row, on a grid, or scattered in a box, with random displacements and rotations.
 *
 * Each generator has its own stream of random numbers, given by its seed and its index in the list of generators. Each C
 * statement in this file must draw at most one random number, because compilers may evaluate the parts of a statement in
 * different orders. Scattered bodies are placed by dart throwing: a random position that is nearer to an earlier body than the
 * smallest allowed distance `separation` is drawn again. The positions of earlier bodies are sorted into square cells at least as
 * wide as `separation`, so that only neighbouring cells are searched. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "scene/check.h"
#include "scene/names.h"
#include "scene/values.h"

enum { ROW, GRID, RANDOM };
enum { THROWS_PER_BODY = 50 };

int cst_generator_count(const cst_json *generator)
{
    const cst_json *of = cst_given(generator, "of");
    const cst_json *what = cst_given(of, "rod") ? cst_given(of, "rod") : cst_given(of, "rigid_body");
    bool sound = what && what->role && cst_get_text(generator, "name");
    switch (sound ? cst_get_choice(generator, "type") : -1) {
    case ROW:
        return cst_given(generator, "spacing") ? (int)cst_get_integer(generator, "count") : 0;
    case GRID:
        return cst_given(generator, "spacing")
                   ? (int)cst_get_integer(generator, "columns") * (int)cst_get_integer(generator, "rows")
                   : 0;
    case RANDOM: {
        const cst_json *region = cst_given(generator, "region");
        return cst_given(region, "from") && cst_given(region, "to") ? (int)cst_get_integer(generator, "count") : 0;
    }
    default:
        return 0;
    }
}

typedef struct darts {
    double from[2], cell, separation;
    /* hash table of the cells: `head` is the index of the first body in each slot, `next` the index of the next body in the same
     * slot; -1: none */
    int *head, *next;
    size_t mask;
} darts;

static size_t slot_of(const darts *thrown, int64_t column, int64_t row)
{
    uint64_t mixed = (uint64_t)column * 0x9E3779B97F4A7C15u ^ ((uint64_t)row + 0x7F4A7C15u) * 0xBF58476D1CE4E5B9u;
    return (size_t)(mixed ^ mixed >> 31) & thrown->mask;
}

static int64_t cell_of(const darts *thrown, const double *place, int axis)
{
    return (int64_t)floor((place[axis] - thrown->from[axis]) / thrown->cell);
}

static bool too_close(const darts *thrown, const cst_scene_body *body, const double *place)
{
    for (int64_t neighbour = 0; neighbour < 9; neighbour++) {
        int64_t column = cell_of(thrown, place, 0) + neighbour % 3 - 1, row = cell_of(thrown, place, 1) + neighbour / 3 - 1;
        for (int i = thrown->head[slot_of(thrown, column, row)]; i >= 0; i = thrown->next[i]) {
            double x = body[i].shift[0] - place[0], y = body[i].shift[1] - place[1];
            if (x * x + y * y < thrown->separation * thrown->separation)
                return true;
        }
    }
    return false;
}

static bool strew(cst_json *generator, int count, cst_scene_body *body, cst_rng *rng, cst_mistakes *mistakes)
{
    const cst_json *region = cst_given(generator, "region");
    double from[3], to[3];
    cst_get_vector(region, "from", from);
    cst_get_vector(region, "to", to);
    darts thrown = {.from = {from[0], from[1]}, .separation = cst_get_real(generator, "separation"), .mask = 1};
    double extent = fmax(to[0] - from[0], to[1] - from[1]);
    if (!(to[0] >= from[0] && to[1] >= from[1] && isfinite(extent))) {
        cst_mistake_at(mistakes, cst_given(region, "to"), "lies below or left of \"from\": the box is empty");
        return true;
    }
    /* The cell width is positive and at least a millionth of the longest side of the box, so that a double holds every cell index
     * exactly. */
    thrown.cell = fmax(fmax(thrown.separation, extent * 1e-6), 1e-300);
    while (thrown.mask < 2 * (size_t)count)
        thrown.mask *= 2;
    thrown.head = CST_TAKE(mistakes->arena, int, thrown.mask);
    thrown.next = CST_TAKE(mistakes->arena, int, count);
    if (!thrown.head || !thrown.next)
        return false;
    memset(thrown.head, -1, thrown.mask * sizeof *thrown.head);
    thrown.mask--;
    int throws = 0, done = 0;
    while (done < count && throws < THROWS_PER_BODY * count) {
        double place[2];
        place[0] = cst_rng_range(rng, from[0], to[0]);
        place[1] = cst_rng_range(rng, from[1], to[1]);
        throws++;
        if (thrown.separation > 0.0 && too_close(&thrown, body, place))
            continue;
        size_t slot = slot_of(&thrown, cell_of(&thrown, place, 0), cell_of(&thrown, place, 1));
        memcpy(body[done].shift, place, sizeof place);
        thrown.next[done] = thrown.head[slot];
        thrown.head[slot] = done++;
    }
    cst_generator_filled(generator, done, count, mistakes);
    return true;
}

void cst_generator_filled(const cst_json *generator, int placed, int count, cst_mistakes *mistakes)
{
    if (placed < count)
        cst_mistake_at(mistakes, cst_given(generator, "separation"),
                       "only %d of the %d bodies found a place: expected a smaller separation, fewer bodies or a larger region",
                       placed, count);
}

static void line_up(const cst_json *generator, int count, cst_scene_body *body)
{
    double spacing[3];
    cst_get_vector(generator, "spacing", spacing);
    int columns = cst_get_choice(generator, "type") == GRID ? (int)cst_get_integer(generator, "columns") : 0;
    for (int i = 0; i < count; i++) {
        int along = columns ? i % columns : i, up = columns ? i / columns : i;
        body[i].shift[0] = along * spacing[0];
        body[i].shift[1] = up * spacing[1];
    }
}

bool cst_generator_run(cst_json *generator, int count, cst_scene_body *body, cst_mistakes *mistakes)
{
    if (count == 0)
        return true;
    cst_rng rng;
    cst_rng_seed(&rng, (uint64_t)cst_get_integer(generator, "seed"), (uint64_t)generator->index);
    if (cst_get_choice(generator, "type") == RANDOM) {
        if (!strew(generator, count, body, &rng, mistakes))
            return false;
    } else {
        line_up(generator, count, body);
    }
    const cst_json *of = cst_given(generator, "of"), *range = cst_given(generator, "angle");
    cst_json *rod = cst_given(of, "rod"), *rigid = cst_given(of, "rigid_body");
    const char *name = cst_get_text(generator, "name");
    double jitter = cst_get_real(generator, "jitter");
    double least = range && range->role ? cst_get_real(range, "from") : 0.0;
    double most = range && range->role ? cst_get_real(range, "to") : 0.0;
    for (int i = 0; i < count; i++) {
        cst_text own = {.arena = mistakes->arena};
        cst_text_add(&own, "%s_%d", name, i + 1);
        body[i].name = cst_text_all(&own);
        body[i].node = rod ? rod : rigid;
        body[i].rigid = !rod;
        double x = cst_rng_range(&rng, -1.0, 1.0);
        double y = cst_rng_range(&rng, -1.0, 1.0);
        double share = cst_rng_uniform(&rng);
        body[i].shift[0] += jitter * x;
        body[i].shift[1] += jitter * y;
        body[i].turn = least + (most - least) * share;
    }
    return !mistakes->arena->failed;
}
