/* What is examined: a scene, the world that it makes, and figures of both that the looks share. */
#ifndef CST_EXAMINE_SUBJECT_H
#define CST_EXAMINE_SUBJECT_H

#include "examine/examine.h"
#include "scene/scene_data.h"

/* All bodies that are made from one object of the scene: one rod, or what a generator repeats. Figures are of one of them. */
typedef struct cst_kind {
    const cst_json *node;
    int first, count;    /* among the bodies, from 0 */
    bool rigid, slender; /* neither: a sheet */
    bool held;           /* clamped, or a constraint holds one of them */
    bool closed;
    double mass;             /* kg */
    double radius, thinnest; /* m: largest and smallest contact radius; 0: sharp */
    double speed;            /* m/s: of its fastest point at first */
    double advance;          /* m/s: of its surface; a ball that spins on the spot has none */
    double density;          /* kg/m3 as given; 0: it is not */
    double drag;             /* kg/s: force per velocity, of all of it */
    cst_motion motion;       /* of its clamped start */
    /* rods and fibers */
    int elements;
    double length, longest; /* m: of all, and of the longest element */
    double mass_per_length; /* kg/m */
    double stiffness;       /* N m2: the smallest EI */
    double young;           /* Pa as given; 0: it is not */
    double damping_time;    /* s */
    double tightness;       /* the largest radius x curvature at first */
    double load;            /* N/m: distributed, besides gravity */
    double rate;            /* rad/s: of its slowest bending mode */
    double sag;             /* m: (EI / (m g))^(1/3), the length that it bends under its own weight; HUGE_VAL without weight */
} cst_kind;

/* Thicknesses that a sheet, or what it meets, may go in a step: the touches of sheets are sought along the motion, and a step that ends deep in a
 * sheet is cut with or without `adaptive`. */
enum { CST_SHEET_STEP = 10 };

typedef struct cst_extent {
    double low[3], high[3];
} cst_extent;

typedef struct cst_subject {
    const cst_scene *scene;
    const cst_json *root;
    cst_world *world;
    const cst_world_def *def;
    const cst_scene_run *run;
    cst_machine machine;
    cst_arena *arena;
    cst_findings findings;
    cst_kind *kind; /* (kinds) in the order of their bodies */
    int kinds;
    cst_extent *body;      /* (bodies) thickness included */
    cst_extent *obstacle;  /* (obstacles) at first; infinite for what has no bounds */
    double *obstacle_size; /* (obstacles) m: the longest side; of a hollow disk its own; 0: none */
    double gravity;        /* m/s2 */
    double thinnest;       /* m: smallest contact radius of all bodies that is not 0; HUGE_VAL: all are sharp */
    double longest;        /* m: the largest body, from end to end or along the arc */
    int64_t elements;      /* of all rods and fibers */
    int64_t vertices;      /* of all bodies in a frame */
    double memory, output; /* bytes expected (look_cost.c) */
} cst_subject;

/* False: out of memory. */
bool cst_subject_begin(cst_subject *subject);

/* Node of an obstacle, by its number from 0. */
const cst_json *cst_subject_obstacle_node(const cst_subject *subject, int obstacle);
/* "rope", or "rope_1 and 19 like it". */
const char *cst_subject_kind_name(const cst_subject *subject, const cst_kind *kind, char out[96]);

/* The fastest that a motion moves a point at `arm` (m) from its reference point; *when: the key it begins at. */
double cst_motion_fastest(const cst_motion *motion, double arm, int *when);

static inline double cst_extent_longest(const cst_extent *box)
{
    double longest = 0.0;
    for (int k = 0; k < 3; k++)
        longest = box->high[k] - box->low[k] > longest ? box->high[k] - box->low[k] : longest;
    return longest;
}

/* The looks, each a file: docs/check.md has a row for every warning. False: out of memory. */
void cst_look_at_sizes(cst_subject *subject);
void cst_look_at_sheets(cst_subject *subject);
void cst_look_at_material(cst_subject *subject);
void cst_look_at_settings(cst_subject *subject);
void cst_look_at_time(cst_subject *subject);
bool cst_look_at_start(cst_subject *subject);
void cst_look_at_course(cst_subject *subject);
void cst_look_at_cost(cst_subject *subject);

/* Of a scene whose world is not built as well: bytes, and the warning about them. */
double cst_memory_expected(const cst_scene *scene);
void cst_look_at_memory(cst_subject *subject);

#endif
