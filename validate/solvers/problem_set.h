/* The problems of a benchmark, each in explicit form and, where it has one, in body form: read from files or generated. */
#ifndef CST_VALIDATE_SOLVERS_PROBLEM_SET_H
#define CST_VALIDATE_SOLVERS_PROBLEM_SET_H

#include "capstan/friction.h"
#include "cli/inputs.h"
#include "exchange/problem_file.h"
#include "generate/family.h"

typedef struct cst_set_problem {
    char name[96];
    cst_friction_problem explicit_form;
    const cst_body_problem *bodies; /* or NULL */
    bool assembles;      /* the explicit form is made from the bodies in every solve, and counted, as in a step of a world */
    const double *start; /* (contacts x dim) r that solves begin with, or NULL: zero */
    double *guess;       /* room for an answer: (contacts x dim) r */
    double *velocity;    /* (contacts x dim) u */
    /* owners of the above */
    cst_problem_file *file;
    cst_body_problem file_bodies;
    cst_generated *generated;
    cst_assembled *assembled;
} cst_set_problem;

typedef struct cst_problem_set {
    cst_set_problem **list;
    int count, room;
} cst_problem_set;

/* Each adds one problem; false and a message if it cannot be read, made or held. A file's global form is condensed. */
bool cst_problem_set_add_file(cst_problem_set *set, const cst_input *input, bool bodies, char *message, size_t message_size);
/* The files named, and those in the directories named. */
bool cst_problem_set_add_files(cst_problem_set *set, int count, char **path, bool bodies, char *message, size_t message_size);
bool cst_problem_set_add_generated(cst_problem_set *set, const char *family, uint64_t seed,
                                   const cst_family_parameters *parameters, char *message, size_t message_size);

/* The comparison of docs/maths_solvers.md, section 8: half rods (20 to 60 contacts, nu 0.5 or 1, mu 0.1 to 0.8), half grains (20
 * to 45 contacts) with a known solution. */
bool cst_problem_set_add_mixture(cst_problem_set *set, int count, char *message, size_t message_size);

/* Solves begin with the impulses in the files, where there are any (a step's problem has those of the step before); returns how many have. */
int cst_problem_set_start_warm(cst_problem_set *set);

void cst_problem_set_free(cst_problem_set *set);

#endif
