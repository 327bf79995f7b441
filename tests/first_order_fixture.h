/* The first-order methods run on a system of their own, and judged from outside. */
#ifndef CST_TESTS_FIRST_ORDER_FIXTURE_H
#define CST_TESTS_FIRST_ORDER_FIXTURE_H

#include "base/arena.h"
#include "friction/laps.h"
#include "friction/system.h"
#include "tests/friction_fixture.h"

typedef struct first_order_method {
    const char *name;
    cst_method solve;
} first_order_method;

enum { METHODS_COUNT = 3 };
extern const first_order_method METHODS[METHODS_COUNT];

/* A system in its arena, with x in the order of the system. */
typedef struct setting {
    cst_arena arena;
    cst_system system;
    int32_t *order;
    double V;
    double *x, *y;
} setting;

setting begin(const cst_friction_problem *problem, bool coloured, int threads);
void end(setting *s);

/* Alart-Curnier error of s->x; s->y <- A x + b. */
double error_of(setting *s);

/* r in contact order from x in system order. */
void unscale(const setting *s, double *r);

cst_method_result run(setting *s, int which, double tolerance, int max_iterations);

/* Solve from zero; r (n x dim) out. Fails unless the tolerance is met by the judge of the tests. Returns the iterations. */
int solve(const cst_friction_problem *problem, int which, double tolerance, int max_iterations, const char *name, double *r);

#endif
