/* Parts of `capstan-bench fibers`: each holds fibers or rigid bodies in space against theory, adds a row per case to the study and
 * says in findings what is asked of them. */
#ifndef CST_VALIDATE_PHYSICS_FIBERS_H
#define CST_VALIDATE_PHYSICS_FIBERS_H

#include "harness/validation.h"

enum { CST_THEORY_ROWS_MAX = 1024, CST_THEORY_MODELS = 3 };

/* One case: what was found beside what theory says. */
typedef struct cst_theory_row {
    const char *line;  /* which comparison: "lateral buckling" */
    char of[64];       /* which case of it */
    const char *model; /* of the fiber; "" for rigid bodies */
    int elements;      /* 0: rigid bodies */
    double dt;         /* s; 0: statics */
    double x;          /* abscissa of charts */
    double value, reference;
    double error; /* relative unless the line says otherwise */
    double order; /* from the same case with fewer elements or longer steps; NaN: none */
    bool finest;  /* no finer one followed */
} cst_theory_row;

typedef struct cst_theory {
    cst_validation base;
    cst_theory_row row[CST_THEORY_ROWS_MAX];
    int rows;
} cst_theory;

extern const cst_fiber_model cst_theory_model[CST_THEORY_MODELS]; /* those that bend and twist */
extern const char *const cst_theory_model_name[CST_THEORY_MODELS];

/* The new row, with error = |value / reference - 1| and no order; NULL, said, if there is no room. */
cst_theory_row *cst_theory_add(cst_theory *about, const char *line, const char *model, int elements, double value,
                               double reference);

/* `fine` is `coarse` (NULL: nothing) with so many times the elements or steps: its order, and `coarse` is no longer the finest. */
void cst_theory_refine(cst_theory_row *coarse, cst_theory_row *fine, double refined);

/* Over the finest rows of a line (and a model, unless NULL): the largest error; the lowest and the highest order. */
double cst_theory_worst(const cst_theory *about, const char *line, const char *model);
void cst_theory_orders(const cst_theory *about, const char *line, const char *model, double *low, double *high);

/* The parts. false: said why. */
bool cst_theory_cantilever(cst_theory *about);
bool cst_theory_stability(cst_theory *about);
bool cst_theory_helices(cst_theory *about);
bool cst_theory_capstan(cst_theory *about);
bool cst_theory_rigid(cst_theory *about);

#endif
