/* Things that the sections of capstan-bench scale put into their worlds: hair on a head, mats of fibers, bundles. All are made
 * without random numbers. Functions return false after saying why. */
#ifndef CST_VALIDATE_SPEED_SCALE_WORLDS_H
#define CST_VALIDATE_SPEED_SCALE_WORLDS_H

#include "speed/scale.h"

/* A definition in space: E <= 1e-6, steps of 1 ms, one thread. */
cst_world_def cst_scale_def(void);

/* Hair of 5 super-helix elements and 0.3 m, clamped to the upper half of a head of 0.1 m. Its radius is that of `dense` hairs that cover the
 * head: 1 mm for 1,920 and falling with the square root of the number, so that roots of neighbours are equally far apart, counted in radii. */
bool cst_scale_add_hair(const cst_scale *about, cst_scale_world *to, int hairs, int dense);

/* A mat of two layers of straight fibers (5 super-helix elements, 0.3 m, radius 0.5 mm), 2 cm apart in a layer, turned by +20 and -20
 * degrees and touching where they cross. Clamped at their starts they sag, press on each other and slide; loose ones approach with
 * 2 cm/s. The area grows with the number of fibers, so a fiber has about as many contacts whatever their number, in one island:
 * 3 n / m = 0.8 to 0.9 rows per degree of freedom (m = 15 of a clamped fiber), between the wavy hair (0.6) and the spaghetti (1.1 to 1.3) of
 * docs/fibers/table1.md. */
typedef struct cst_scale_mat {
    bool loose;     /* not clamped at their starts */
    double turning; /* rad/s: of what they are clamped to, about z */
    int fibers;     /* wanted, at the start; how many there are, afterwards */
    double side;    /* m, out */
    double mass;    /* kg, out */
} cst_scale_mat;
bool cst_scale_add_mat(const cst_scale *about, cst_scale_world *to, cst_scale_mat *mat);

/* Fibers that hang beside each other in a square, 2 cm apart, curved so that they swing: nothing touches. */
bool cst_scale_add_comb(const cst_scale *about, cst_scale_world *to, int fibers);

/* rows x rows parallel straight fibers of 10 elements and 0.5 m, radius 1 mm, centres `spacing` apart, all flying with speed m/s. */
bool cst_scale_add_bundle(const cst_scale *about, cst_scale_world *to, int rows, double spacing, double speed);

/* One CORDE rod of `elements`, 0.6 m, that slides on a floor of its own 1 m below everything else, at x. */
bool cst_scale_add_nodal(const cst_scale *about, cst_scale_world *to, int elements, double x);

/* A box that touches nothing, to which the start of each body of the world is clamped if `tied`. */
bool cst_scale_add_holder(const cst_scale *about, cst_scale_world *to, double half_side, double mass, bool tied);

#endif
