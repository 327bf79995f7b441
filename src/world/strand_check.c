#include "world/strand_check.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "collide/placed_arc.h"
#include "collide/strand_room.h"
#include "math/vector3.h"

/* PAIRS_EACH: smallest number of pairs of elements that are divided into chords and tested at a time; only the last block may
 * have fewer. */
enum { PARALLEL_BODIES = 64, CHORDS_MOST = 64, PAIRS_EACH = 65536 };

/* One element of a body's centreline, in 2D or 3D. */
typedef struct shape {
    double length, radius, curvature, s;
    cst_placed_arc arc; /* 2D */
} shape;

/* Centreline elements of all bodies, and the chords into which the elements are divided. */
typedef struct strand_pieces {
    const cst_strand_check *check;
    int threads;
    uint8_t *flags; /* (owners) */
    int32_t *first; /* (bodies + 1) */
    cst_strand_piece *piece;
    cst_piece_move *move;
    int32_t *first_chord; /* (pieces + 1) */
    cst_chord *chord;
    double *start, *end; /* arrays (3 x points): positions of the chord ends at the start and at the end of the step */
} strand_pieces;

static int pieces_of(const cst_body_model *model, int dim)
{
    const cst_body_surface *surface = model->class->surface;
    if (dim == 2)
        return surface->arcs ? surface->arcs(model->self) : 0;
    return surface->pieces ? surface->pieces(model->self) : 0;
}

static shape shape_of(const cst_body_model *model, int dim, int index)
{
    const cst_body_surface *surface = model->class->surface;
    shape out;
    if (dim == 2) {
        cst_arc arc = {0};
        surface->arc(model->self, index, &arc);
        out = (shape){.length = arc.l, .radius = arc.radius, .curvature = fabs(arc.k), .s = arc.s};
        cst_place_arc(&arc, &out.arc);
    } else {
        cst_curve_piece curve = {0};
        surface->piece(model->self, index, &curve);
        out = (shape){.length = curve.length, .radius = curve.radius, .curvature = curve.curvature, .s = curve.s};
    }
    return out;
}

/* Computes the positions of a point of a centreline element: at the end of the step (`now`) and at its start (`before`). */
static void point_of(const cst_body_model *model, int dim, int index, const shape *of, double s, double *now, double *before)
{
    const cst_body_surface *surface = model->class->surface;
    cst_material_point at;
    if (dim == 2) {
        now[2] = 0.0;
        cst_arc_at(&of->arc, s, now, NULL);
    } else {
        surface->curve(model->self, index, s, now, NULL);
    }
    if (surface->before) {
        surface->before(model->self, index, s, now, before);
        return;
    }
    model->class->places->touched(model->self, &(cst_material_place){.index = index}, s, now, &at);
    model->class->places->position(model->self, &at, before);
}

/* ------------------------------------------------------------------------------------------------------------------- room */

/* Computes the displacements of the two ends of a centreline element in the step, and the change of its direction, as if the
 * element were straight. */
static void find_move(const cst_body_model *model, int dim, int index, const shape *of, cst_piece_move *out)
{
    *out = (cst_piece_move){.turned = 0.0};
    for (int end = 0; end < 2; end++) {
        double now[3], before[3];
        point_of(model, dim, index, of, end * of->length, now, before);
        cst_subtract3(now, before, out->went.way[end]);
    }
    double turn[3];
    cst_subtract3(out->went.way[1], out->went.way[0], turn);
    out->turned = of->length > 0.0 ? sqrt(cst_dot3(turn, turn)) / of->length : 0.0;
}

static void describe_body(const strand_pieces *all, int body)
{
    const cst_body_model *model = all->check->objects->model + body;
    const cst_body_surface *surface = model->class->surface;
    const int dim = all->check->dim, first = all->first[body], pieces = all->first[body + 1] - first;
    if (pieces > 0 && surface->moved && !all->check->move)
        surface->moved(model->self, all->move + first);
    for (int i = 0; i < pieces; i++) {
        const cst_piece *known = all->check->piece ? all->check->piece + first + i : NULL;
        const shape of = known ? (shape){.radius = known->radius, .length = known->length} : shape_of(model, dim, i);
        all->piece[first + i] = (cst_strand_piece){.owner = cst_owner_of_body(body), .radius = of.radius, .length = of.length};
        if (!surface->moved)
            find_move(model, dim, i, &of, all->move + first + i);
    }
}

static bool describe(strand_pieces *all, cst_arena *arena)
{
    const cst_strand_check *check = all->check;
    const cst_objects *objects = check->objects;
    all->flags = CST_TAKE(arena, uint8_t, cst_objects_owners(objects));
    all->first = CST_TAKE(arena, int32_t, (size_t)objects->bodies + 1);
    if (arena->failed)
        return false;
    for (int k = 0; k < objects->bodies; k++) {
        const cst_body_model *model = objects->model + k;
        all->first[k + 1] = all->first[k] + pieces_of(model, check->dim);
        all->flags[cst_owner_of_body(k)] =
            check->self_contact && model->class->surface->self_contact ? CST_OWNER_SELF_CONTACT : 0;
    }
    all->piece = CST_TAKE_RAW(arena, cst_strand_piece, all->first[objects->bodies]);
    all->move = check->move ? check->move : CST_TAKE_RAW(arena, cst_piece_move, all->first[objects->bodies]);
    if (arena->failed)
        return false;
    CST_PARALLEL_FOR(all->threads, schedule(static), (int k = 0; k < objects->bodies; k++), { describe_body(all, k); });
    return true;
}

/* ----------------------------------------------------------------------------------------------------------------- chords */

static int chords_of(const shape *of)
{
    const double chords = of->length * sqrt(of->curvature / of->radius);
    return chords >= CHORDS_MOST ? CHORDS_MOST : chords > 1.0 ? (int)ceil(chords) : 1; /* sharp or not finite: one chord */
}

static void count_chords(const strand_pieces *all, int body, const uint8_t *wanted)
{
    const cst_body_model *model = all->check->objects->model + body;
    for (int i = all->first[body]; i < all->first[body + 1]; i++) {
        const shape of = shape_of(model, all->check->dim, i - all->first[body]);
        all->first_chord[i + 1] = !wanted || wanted[i] ? chords_of(&of) : 0;
    }
}

/* Divides the centreline elements of a body into chords. Neighbouring chords of one centreline element share an end point;
 * chords of different elements do not. */
static void cut_body(const strand_pieces *all, int body)
{
    const cst_body_model *model = all->check->objects->model + body;
    for (int i = all->first[body]; i < all->first[body + 1]; i++) {
        const int chord = all->first_chord[i], chords = all->first_chord[i + 1] - chord, index = i - all->first[body];
        const shape of = shape_of(model, all->check->dim, index);
        for (int j = 0; j <= chords && chords > 0; j++) {
            const size_t point = 3 * ((size_t)chord + (size_t)(i + j));
            point_of(model, all->check->dim, index, &of, j * of.length / chords, all->end + point, all->start + point);
        }
        for (int j = 0; j < chords; j++)
            all->chord[chord + j] = (cst_chord){.owner = cst_owner_of_body(body),
                                                .from = chord + i + j,
                                                .to = chord + i + j + 1,
                                                .s = of.s + (j + 0.5) * of.length / chords,
                                                .length = of.length / chords,
                                                .radius = of.radius};
    }
}

/* Divides centreline elements into chords. `wanted`: array (elements): true for each element that is divided; NULL: all
 * elements are divided. */
static bool cut(strand_pieces *all, const uint8_t *wanted, cst_arena *arena)
{
    const int bodies = all->check->objects->bodies, pieces = all->first[bodies];
    all->first_chord = CST_TAKE(arena, int32_t, (size_t)pieces + 1);
    if (arena->failed)
        return false;
    CST_PARALLEL_FOR(all->threads, schedule(static), (int k = 0; k < bodies; k++), { count_chords(all, k, wanted); });
    for (int i = 0; i < pieces; i++)
        all->first_chord[i + 1] += all->first_chord[i];
    const size_t points = (size_t)all->first_chord[pieces] + (size_t)pieces;
    all->chord = CST_TAKE_RAW(arena, cst_chord, all->first_chord[pieces]);
    all->start = CST_TAKE(arena, double, 3 * points); /* elements without chords also have points */
    all->end = CST_TAKE(arena, double, 3 * points);
    if (arena->failed)
        return false;
    CST_PARALLEL_FOR(all->threads, schedule(static), (int k = 0; k < bodies; k++), { cut_body(all, k); });
    return true;
}

/* Adds to out->pairs the number of pairs of chords that pass through each other in the given pairs of centreline elements.
 * `pair`: NULL: all elements are tested. Returns false if memory ran out. */
static bool add_crossings(strand_pieces *all, const cst_pair *pair, int pairs, cst_arena *arena, cst_strand_passed *out)
{
    const cst_strand_check *check = all->check;
    const int pieces = all->first[check->objects->bodies];
    uint8_t *wanted = pair ? CST_TAKE(arena, uint8_t, pieces) : NULL;
    cst_strand_crossing first;
    if (arena->failed)
        return false;
    for (int i = 0; i < pairs; i++)
        wanted[pair[i].a] = wanted[pair[i].b] = 1;
    if (!cut(all, wanted, arena))
        return false;
    const cst_strands strands = {.points = all->first_chord[pieces] + pieces,
                                 .start = all->start,
                                 .end = all->end,
                                 .chords = all->first_chord[pieces],
                                 .chord = all->chord,
                                 .pair = pair,
                                 .pairs = pairs,
                                 .first = all->first_chord,
                                 .owner_flags = all->flags,
                                 .apart = check->apart,
                                 .aparts = check->aparts,
                                 .threads = check->threads};
    const int count = cst_strand_crossings(&strands, arena, &first);
    for (int side = 0; side < 2 && count > 0 && out->pairs == 0; side++)
        out->body[side] = cst_owner_index(all->chord[first.chord[side]].owner);
    if (count > 0 && out->pairs == 0)
        memcpy(out->place, first.place, sizeof out->place);
    out->pairs += count > 0 ? count : 0;
    return count >= 0;
}

/* Tests the pairs of centreline elements in blocks, so that only the elements of one block are divided into chords at a time. A
 * block ends with all pairs of its last element `a`: blocks then find the same first crossing as a test of all pairs at once. In
 * the first step of scenes/hair/head_100k.json, the chords of all pairs would take 2.5 GB. */
static bool look_for_crossings(strand_pieces *all, const cst_pair *pair, int pairs, const cst_allocator *allocator,
                               cst_strand_passed *out)
{
    cst_arena arena; /* few steps need chords, and they may need much memory */
    cst_arena_begin(&arena, allocator);
    out->pairs = 0;
    bool good = pair || add_crossings(all, NULL, 0, &arena, out);
    for (int from = 0, to; good && from < pairs; from = to) {
        for (to = from + 1; to < pairs && (to - from < PAIRS_EACH || pair[to].a == pair[to - 1].a);)
            to++;
        good = add_crossings(all, pair + from, to - from, &arena, out);
        cst_arena_release(&arena, (cst_arena_mark){0});
    }
    cst_arena_end(&arena);
    return good;
}

cst_strand_passed cst_strand_check_end(const cst_strand_check *check, cst_arena *arena)
{
    strand_pieces all = {.check = check, .threads = cst_threads_for(check->threads, check->objects->bodies, PARALLEL_BODIES)};
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_strand_passed out = {.pairs = -1};
    if (!describe(&all, arena))
        return out;
    const cst_strand_motion motion = {.pieces = all.first[check->objects->bodies],
                                      .piece = all.piece,
                                      .move = all.move,
                                      .owner_flags = all.flags,
                                      .apart = check->apart,
                                      .aparts = check->aparts,
                                      .depth = check->depth,
                                      .near = check->near,
                                      .near_gap = check->near_gap,
                                      .near_way = check->near_way};
    cst_pair *pair;
    int pairs;
    const cst_strand_doubt doubt = cst_strand_room(&motion, arena, &pair, &pairs);
    if (doubt == CST_STRANDS_NO_MEMORY)
        return out;
    if (doubt == CST_STRANDS_APART)
        out.pairs = 0;
    else if (!look_for_crossings(&all, pair, pairs, &arena->allocator, &out))
        out.pairs = -1;
    if (out.pairs >= 0)
        cst_arena_release(arena, mark);
    return out;
}
