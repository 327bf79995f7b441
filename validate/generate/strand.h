/* Strands: smooth curves clamped on a horizontal cylinder, combed down one side of it and hanging below: a mane of any length.
 *
 * A strand is a cubic B-spline x(s) = sum_j B_j(s) q_j with two clamped control points and `nodes` free ones, sampled at m points; the
 * samples are what collides. In the three files of this name: shape (curves that lie on each other), touch (their contacts),
 * pile (the friction problem). */
#ifndef CST_GENERATE_STRAND_H
#define CST_GENERATE_STRAND_H

#include "base/arena.h"
#include "base/rng.h"

enum { CST_STRAND_CLAMPED = 2, CST_STRAND_SEGMENTS_PER_NODE = 3 };

typedef struct cst_strand_set {
    int strands;
    int nodes;     /* free control points of a strand */
    int controls;  /* nodes + 2 */
    int samples;   /* m = 3 nodes + 1 */
    double radius; /* of a strand, m */
    double head;   /* radius of the cylinder, m; its axis is y */
    double length; /* mean length of a strand, m */
    double *basis; /* (m x controls) B_j at the samples */
    double *x;     /* (strands x m x 3) samples, m */
} cst_strand_set;

/* Pairs of segments, each named by its first sample: segment k joins samples k and k + 1 of x, counted over all strands. */
typedef struct cst_segment_pairs {
    cst_arena arena;
    int64_t count;
    int64_t capacity;
    int32_t (*pair)[2];
} cst_segment_pairs;

/* Closest points of two segments p + s (q - p): their parameters and the vector from the second to the first. */
void cst_segment_closest(const double *p1, const double *q1, const double *p2, const double *q2, double *s, double *t,
                         double *difference);

/* All pairs of segments of different strands closer than reach, first < second, by a spatial hash. False without memory. */
bool cst_strand_near_pairs(const cst_strand_set *set, double reach, const cst_allocator *allocator, cst_segment_pairs *pairs);
bool cst_segment_pairs_add(cst_segment_pairs *pairs, const cst_allocator *allocator, int32_t a, int32_t b);
void cst_segment_pairs_free(cst_segment_pairs *pairs);

/* A contact: sample and parameter on both sides, normal from B to A. strand_b -1: the cylinder. */
typedef struct cst_strand_contact {
    int32_t strand_a, strand_b;
    int32_t sample_a, sample_b;
    double s_a, s_b; /* the point is (1 - s) x[sample] + s x[sample + 1] */
    double normal[3];
    double gap; /* between the surfaces, m */
} cst_strand_contact;

/* Contacts with gap < margin, sorted by (strand_a, strand_b, place on A). NULL without memory; kept in `arena`. */
cst_strand_contact *cst_strand_contacts(const cst_strand_set *set, double margin, cst_arena *arena, int *count);

/* Draws the strands and lets them settle on each other and on the cylinder; x and basis are kept in `arena`. */
bool cst_strand_shape(cst_strand_set *set, int strands, int nodes, cst_rng *rng, cst_arena *arena);

#endif
