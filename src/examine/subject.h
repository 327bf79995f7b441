/* The subject of an examination: a scene, the simulation built from it, and sizes and properties of its bodies that several
 * checks use. */
#ifndef CST_EXAMINE_SUBJECT_H
#define CST_EXAMINE_SUBJECT_H

#include "examine/examine.h"
#include "scene/scene_data.h"

/* All bodies that are made from one object of the scene file: one rod, or the copies that a generator makes. The members of the
 * struct cst_kind after `count`, except `held` and `tightness`, describe a single body of the kind, not all of them together. */
typedef struct cst_kind {
    const cst_json *node;
    int first, count;    /* first body (from 0), and number */
    bool rigid, slender; /* neither: a sheet */
    bool held;           /* clamped, held by a constraint, or a sheet with handles */
    bool closed;
    double mass;             /* kg */
    double radius, thinnest; /* largest and smallest contact radius (m); 0 for a body with sharp edges */
    double speed;            /* estimate of the initial speed of the body's fastest point (m/s) */
    /* initial speed of the centre of a disk or ball (m/s); for other bodies, the same as `speed` */
    double advance;
    double density;    /* kg/m3: density given in the scene; 0 if not given */
    double drag;       /* kg/s: total drag force per velocity */
    cst_motion motion; /* motion of the clamped start */
    /* The members of the struct cst_kind from `elements` on are set for rods and fibers. For sheets, only three members of struct
     * cst_kind from `elements` on are set: `elements` (number of triangles), `longest` and `damping_time`. */
    int elements;
    double length, longest; /* length of the body (m), longest element or triangle edge (m) */
    double mass_per_length; /* kg/m */
    double stiffness;       /* N m2: the smallest EI */
    double young;           /* Young's modulus given in the scene, Pa; 0 if not given */
    double damping_time;    /* s */
    double tightness;       /* largest product of radius and initial curvature, over all bodies of the kind */
    double load;            /* distributed load in addition to gravity (N/m) */
    double rate;            /* angular frequency of the body's slowest bending mode (rad/s) */
    /* m: (EI / q)^(1/3); a rod with the bending stiffness EI that is longer than this bends clearly under the load q per length
     * (weight and `load`); HUGE_VAL if q is 0 */
    double sag;
} cst_kind;

/* Largest displacement of a sheet in one step, divided by its thickness, that gives no warning. For a body that is not a sheet,
 * the largest displacement in one step without a warning is its contact radius. An obstacle, or a body with sharp edges, has no
 * contact radius; its limit for the displacement in one step is the smallest limit of all bodies that have a contact radius. A
 * sheet may safely move by several thicknesses in a step. Contacts of sheets are searched along the whole displacement of a step,
 * and a step that ends with a deep penetration into a sheet is halved. */
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
    cst_kind *kind; /* array (kinds): kinds of bodies */
    int kinds;
    cst_extent *body;     /* array (bodies): thickness included */
    cst_extent *obstacle; /* array (obstacles): bounding box of each obstacle at the start; infinite for unbounded shapes */
    /* array (obstacles): longest side of each obstacle (m); diameter of a hollow disk; 0 for a half-plane */
    double *obstacle_size;
    double gravity;        /* m/s2 */
    double thinnest;       /* smallest contact radius of all bodies that is not 0 (m); HUGE_VAL if all are 0 */
    double longest;        /* size of the largest body (m): its arc length, or the longest side of its bounding box */
    int64_t elements;      /* number of elements of all rods and fibers */
    int64_t vertices;      /* number of vertices of all bodies in a frame */
    double memory, output; /* bytes expected (look_cost.c) */
} cst_subject;

/* Returns false if memory ran out. */
bool cst_subject_begin(cst_subject *subject);

/* Returns the JSON node that defines an obstacle in the scene; obstacles are numbered from 0. */
const cst_json *cst_subject_obstacle_node(const cst_subject *subject, int obstacle);
/* Returns the name of a group of equal bodies: "rope", or "rope_1 and 19 like it". */
const char *cst_subject_kind_name(const cst_subject *subject, const cst_kind *kind, char out[96]);

/* Returns an upper bound for the speed (m/s) of a point at the distance `arm` (m) from the reference point of a prescribed
 * motion. `when`: output, the index of the keyframe at which the interval with the largest bound begins. */
double cst_motion_fastest(const cst_motion *motion, double arm, int *when);

static inline double cst_extent_longest(const cst_extent *box)
{
    double longest = 0.0;
    for (int k = 0; k < 3; k++)
        longest = box->high[k] - box->low[k] > longest ? box->high[k] - box->low[k] : longest;
    return longest;
}

/* The checks of a scene, one source file each; docs/check.md has a row for every warning. The function cst_look_at_start returns
 * false if memory ran out. */
void cst_look_at_sizes(cst_subject *subject);
void cst_look_at_sheets(cst_subject *subject);
void cst_look_at_material(cst_subject *subject);
void cst_look_at_settings(cst_subject *subject);
void cst_look_at_time(cst_subject *subject);
bool cst_look_at_start(cst_subject *subject);
void cst_look_at_course(cst_subject *subject);
void cst_look_at_cost(cst_subject *subject);

/* The function cst_memory_expected estimates the memory of a scene in bytes, and cst_look_at_memory warns if this memory is too
 * large. Both cst_memory_expected and cst_look_at_memory also work for a scene from which no simulation has been built. */
double cst_memory_expected(const cst_scene *scene);
void cst_look_at_memory(cst_subject *subject);

#endif
