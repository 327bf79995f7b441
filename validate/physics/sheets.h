/* Sheets at rest, for the studies of sheets. */
#ifndef CST_VALIDATE_PHYSICS_SHEETS_H
#define CST_VALIDATE_PHYSICS_SHEETS_H

#include "cloth/sheet_shapes.h"
#include "harness/validation.h"

/* A world with one sheet. */
typedef struct cst_sheet_trial {
    cst_arena arena;
    cst_world *world;
    cst_sheet_def def;
    cst_body_id body;
    double *x; /* (nodes x 3) where it came to rest */
} cst_sheet_trial;

/* An empty world with steps of dt; then def is to be filled with arrays from the arena. */
bool cst_sheet_trial_begin(const cst_validation *about, cst_sheet_trial *trial, double dt, const double *gravity);
/* Adds the sheet and steps until nothing moves faster than `still` m/s, at most `steps` times; says so if it does not come to rest. */
bool cst_sheet_trial_rest(const cst_validation *about, cst_sheet_trial *trial, double still, int steps);
void cst_sheet_trial_end(cst_sheet_trial *trial);

/* Parts of capstan-bench sheets. */
bool cst_sheets_strip(cst_validation *about);
bool cst_sheets_tension(cst_validation *about);
bool cst_sheets_hang(cst_validation *about);

#endif
