/* Roots of hair on the upper half of a head, evenly spread, each with a frame in which neighbours wave side by side. */
#ifndef CST_GENERATE_SCALP_H
#define CST_GENERATE_SCALP_H

typedef struct cst_hair_root {
    double position[3]; /* m, from the centre of the head */
    double frame[9];    /* (3 x 3) row-major: columns t, d1, d2; t is the outward normal */
} cst_hair_root;

/* Root `hair` of `hairs` on a head of the given radius: the points of Fibonacci's spiral, each of the same share of the half sphere. */
cst_hair_root cst_hair_root_of(int hair, int hairs, double radius);

#endif
