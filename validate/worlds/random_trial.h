/* One random world, run to its end in a process of its own. */
#ifndef CST_VALIDATE_WORLDS_RANDOM_TRIAL_H
#define CST_VALIDATE_WORLDS_RANDOM_TRIAL_H

#include "worlds/random_scene.h"

enum { CST_RANDOM_NAMED = 4 };

/* How a world went. Plain numbers: it goes through a pipe. */
typedef struct cst_random_verdict {
    bool finished;   /* reached its end */
    bool not_finite; /* an energy or a place was not a number */
    int steps, missed, retries;
    int contacts;                                                       /* most at once */
    double missed_at[CST_RANDOM_NAMED], missed_error[CST_RANDOM_NAMED]; /* the first of them: time, E */
    double put_in;                                                      /* J */
    double gain;        /* J: largest rise of the energy above what it has been, beyond what was put in meanwhile */
    double gain_at;     /* s */
    double unexplained; /* J, largest */
    double depth;       /* largest overlap, in the smaller radius */
    double depth_at;
    int crossings;
    double crossed_at;
    double error; /* largest E */
    double seconds;
    char who[96];      /* of the crossing, or of the deepest overlap */
    char message[256]; /* of a step that failed, or a scene that cannot be read */
} cst_random_verdict;

/* Runs the scene at the path, with overrides as of --set, in this process. */
void cst_random_trial(const char *path, const char *const *set, int sets, const cst_random_scene *about, cst_random_verdict *out);

#endif
