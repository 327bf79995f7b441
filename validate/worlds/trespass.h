/* Does anything pass through anything? A check of a world from step to step that knows nothing but how things are drawn
 * (cst_world_draw_body, cst_world_draw_obstacle): centrelines as chords with a radius, disks and balls as points with a radius, outlines
 * and meshes with their corners. It shares no code with detection (worlds/swept.h).
 *
 *     depth      the deepest overlap now, in m, and in the smaller of the two radii (of a sharp solid: half its least thickness)
 *     crossing   between the last look and this one a centreline, a centre or a thick sheet went through another, or through a surface
 *
 * A chord stands off its curve by its sag, which is subtracted from the depth: reported depths are no larger than the true ones by more
 * than rounding. Pieces of one curve are compared if no node joins their elements and three diameters of arc lie between them. */
#ifndef CST_VALIDATE_WORLDS_TRESPASS_H
#define CST_VALIDATE_WORLDS_TRESPASS_H

#include "capstan/capstan.h"

typedef struct cst_trespass cst_trespass;

/* Bodies that are joined, and may overlap. */
typedef struct cst_joined_pair {
    cst_body_id a, b;
} cst_joined_pair;

typedef struct cst_trespass_finding {
    double depth;     /* m */
    double relative;  /* in the smaller radius */
    char deepest[96]; /* who, in whom */
    int crossings;
    char crossed[96]; /* who, through whom */
} cst_trespass_finding;

/* NULL: out of memory. */
cst_trespass *cst_trespass_new(const cst_world *world, const cst_joined_pair *joined, int joineds);
void cst_trespass_free(cst_trespass *trespass);

/* Looks at the world as it is now, and at the way since the last look. */
void cst_trespass_look(cst_trespass *trespass, const cst_world *world, cst_trespass_finding *out);

#endif
