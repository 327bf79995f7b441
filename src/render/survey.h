/* Data about a whole run that are needed before one of its pictures is drawn: scales that are the same in all pictures, and the
 * bounding box. */
#ifndef CST_RENDER_SURVEY_H
#define CST_RENDER_SURVEY_H

#include "cache/spread.h"
#include "render/moment.h"

typedef struct cst_survey {
    bool made;
    /* distributions, over all frames, of the curvature and twist at the vertices of rods, of the speed at the vertices of rods
     * and meshes, and of the contact forces */
    cst_spread curvature, speed, twist, force;
    cst_bounds bodies, surroundings; /* half-planes have no box */
} cst_survey;

/* Reads all frames of a run. The function `carry_on`, if it is not NULL, is called after each frame; if it returns false, the
 * survey stops. On failure, cst_survey_make returns false and writes a message. */
bool cst_survey_make(cst_survey *survey, cst_run_reader *reader, bool (*carry_on)(void *user, int64_t done, int64_t all),
                     void *user, char *message, size_t message_size);

/* Extends the bounding boxes `bodies` and `surroundings` so that they contain all bodies and all obstacles in the state `now`;
 * half-planes are left out. */
void cst_moment_bounds(const cst_moment *now, cst_bounds *bodies, cst_bounds *surroundings);

#endif
