#include "world/strand_check.h"

#include <math.h>

#include "base/threads.h"
#include "collide/placed_arc.h"

enum { PARALLEL_BODIES = 64, CHORDS_MOST = 64 };

/* One piece of a centreline, in the plane or in space. */
typedef struct piece {
    double length, radius, curvature, s;
    cst_placed_arc arc; /* plane */
} piece;

static int pieces_of(const cst_body_model *model, int dim)
{
    const cst_body_surface *surface = model->class->surface;
    if (dim == 2)
        return surface->arcs ? surface->arcs(model->self) : 0;
    return surface->pieces ? surface->pieces(model->self) : 0;
}

static piece piece_of(const cst_body_model *model, int dim, int index)
{
    const cst_body_surface *surface = model->class->surface;
    piece out = {0};
    if (dim == 2) {
        cst_arc arc = {0};
        surface->arc(model->self, index, &arc);
        out = (piece){.length = arc.l, .radius = arc.radius, .curvature = fabs(arc.k), .s = arc.s};
        cst_place_arc(&arc, &out.arc);
    } else {
        cst_curve_piece curve = {0};
        surface->piece(model->self, index, &curve);
        out = (piece){.length = curve.length, .radius = curve.radius, .curvature = curve.curvature, .s = curve.s};
    }
    return out;
}

static void point_of(const cst_body_model *model, int dim, int index, const piece *of, double share, double *x)
{
    if (dim == 2) {
        x[2] = 0.0;
        cst_arc_at(&of->arc, share * of->length, x, NULL);
    } else {
        model->class->surface->curve(model->self, index, share * of->length, x, NULL);
    }
}

static int chords_of(const piece *of)
{
    const double chords = of->length * sqrt(of->curvature / of->radius);
    return chords >= CHORDS_MOST ? CHORDS_MOST : chords > 1.0 ? (int)ceil(chords) : 1; /* sharp or not finite: one */
}

static int body_chords(const cst_body_model *model, int dim)
{
    int chords = 0;
    for (int i = 0; i < pieces_of(model, dim); i++) {
        const piece of = piece_of(model, dim, i);
        chords += chords_of(&of);
    }
    return chords;
}

/* Chords of a body. Those of a piece share their points; pieces of a body need not be joined. */
static void cut_body(const cst_strand_check *check, int body)
{
    const cst_body_model *model = check->in.objects->model + body;
    int chord = check->first_chord[body];
    for (int i = 0; i < pieces_of(model, check->in.dim); i++) {
        const piece of = piece_of(model, check->in.dim, i);
        const int chords = chords_of(&of), at = check->first_piece[body] + i;
        check->piece_chord[at] = chord;
        for (int j = 0; j < chords; j++, chord++)
            check->chord[chord] = (cst_chord){.owner = cst_owner_of_body(body),
                                              .from = chord + at,
                                              .to = chord + at + 1,
                                              .s = of.s + (j + 0.5) * of.length / chords,
                                              .length = of.length / chords,
                                              .sag = 0.125 * of.curvature * (of.length / chords) * (of.length / chords),
                                              .radius = of.radius};
    }
}

/* The points of a body's chords where it is placed now. */
static void place_body(const cst_strand_check *check, int body, double *x)
{
    const cst_body_model *model = check->in.objects->model + body;
    const int first = check->first_piece[body], pieces = check->first_piece[body + 1] - first;
    int chord = check->first_chord[body];
    for (int i = 0; i < pieces; i++) {
        const piece of = piece_of(model, check->in.dim, i);
        const int next = i + 1 < pieces ? check->piece_chord[first + i + 1] : check->first_chord[body + 1], chords = next - chord;
        for (int j = 0; j <= chords; j++)
            point_of(model, check->in.dim, i, &of, (double)j / chords, x + 3 * ((size_t)chord + (size_t)(first + i + j)));
        chord = next;
    }
}

static int threads_of(const cst_strand_check *check)
{
    return cst_threads_for(check->in.threads, check->in.objects->bodies, PARALLEL_BODIES);
}

bool cst_strand_check_begin(cst_strand_check *check, cst_arena *arena)
{
    const cst_strand_input *input = &check->in;
    const cst_objects *objects = input->objects;
    uint8_t *flags = CST_TAKE(arena, uint8_t, cst_objects_owners(objects));
    check->first_chord = CST_TAKE(arena, int32_t, (size_t)objects->bodies + 1);
    check->first_piece = CST_TAKE(arena, int32_t, (size_t)objects->bodies + 1);
    if (arena->failed)
        return false;
    check->strands = (cst_strands){
        .owner_flags = flags, .apart = input->apart, .aparts = input->aparts, .near = input->near, .threads = input->threads};
    const int threads = threads_of(check);
    (void)threads; /* nobody reads it in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int k = 0; k < objects->bodies; k++) {
        const cst_body_model *model = objects->model + k;
        check->first_chord[k + 1] = body_chords(model, input->dim);
        check->first_piece[k + 1] = pieces_of(model, input->dim);
        flags[cst_owner_of_body(k)] = input->self_contact && model->class->surface->self_contact ? CST_OWNER_SELF_CONTACT : 0;
    }
    for (int k = 0; k < objects->bodies; k++) {
        check->first_chord[k + 1] += check->first_chord[k];
        check->first_piece[k + 1] += check->first_piece[k];
    }
    const int chords = check->first_chord[objects->bodies], pieces = check->first_piece[objects->bodies];
    check->piece_chord = CST_TAKE_RAW(arena, int32_t, (size_t)pieces + 1);
    check->chord = CST_TAKE_RAW(arena, cst_chord, chords);
    check->start = CST_TAKE_RAW(arena, double, 3 * ((size_t)chords + (size_t)pieces));
    check->end = CST_TAKE_RAW(arena, double, 3 * ((size_t)chords + (size_t)pieces));
    if (arena->failed)
        return false;
    check->piece_chord[pieces] = chords;
    check->strands.pieces = pieces;
    check->strands.first = check->piece_chord;
    check->strands.chords = chords;
    check->strands.chord = check->chord;
    check->strands.points = chords + pieces;
    check->strands.start = check->start;
    check->strands.end = check->end;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int k = 0; k < objects->bodies; k++) {
        cut_body(check, k);
        place_body(check, k, check->start);
    }
    return true;
}

int cst_strand_check_end(const cst_strand_check *check, double depth, cst_arena *arena, cst_strand_crossing *first)
{
    cst_strands strands = check->strands;
    const int threads = threads_of(check);
    (void)threads; /* nobody reads it in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int k = 0; k < check->in.objects->bodies; k++)
        place_body(check, k, check->end);
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    strands.depth = depth;
    const int crossings = cst_strand_crossings(&strands, arena, first);
    if (crossings >= 0)
        cst_arena_release(arena, mark);
    return crossings;
}

void cst_strand_check_bodies(const cst_strand_check *check, const cst_strand_crossing *crossing, int bodies[2])
{
    for (int side = 0; side < 2; side++)
        bodies[side] = cst_owner_index(check->chord[crossing->chord[side]].owner);
}
