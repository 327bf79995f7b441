#include "world/time_step.h"

#include <math.h>

int cst_stepping_finest(const cst_time_step *rules)
{
    return rules->adaptive && rules->halvings > CST_STEP_CROSSING_HALVINGS ? rules->halvings : CST_STEP_CROSSING_HALVINGS;
}

/* Returns how often the step length dt can be halved if a step was rejected because of `fault`. Without adaptive control, a
 * step is halved only if bodies passed through each other, if a penetration is deep, if energy was gained, or if the attempt
 * failed. */
static int halvings(const cst_time_step *rules, cst_step_fault fault)
{
    if (fault == CST_STEP_CROSSED || fault == CST_STEP_SUNK || fault == CST_STEP_GAINED || fault == CST_STEP_FAILED)
        return cst_stepping_finest(rules);
    return rules->adaptive ? rules->halvings : 0;
}

static int64_t step_ticks(const cst_stepping *stepping, const cst_time_step *rules)
{
    return (int64_t)1 << (cst_stepping_finest(rules) - stepping->level);
}

double cst_stepping_time(const cst_stepping *stepping, const cst_time_step *rules)
{
    return (double)stepping->ticks * ldexp(rules->dt, -cst_stepping_finest(rules));
}

double cst_stepping_time_after(const cst_stepping *stepping, const cst_time_step *rules, double dt)
{
    cst_stepping after = *stepping;
    after.ticks += (int64_t)llround(ldexp(dt / rules->dt, cst_stepping_finest(rules)));
    return cst_stepping_time(&after, rules);
}

double cst_stepping_dt(const cst_stepping *stepping, const cst_time_step *rules)
{
    return ldexp(rules->dt, -stepping->level);
}

int64_t cst_stepping_whole_steps(const cst_stepping *stepping, const cst_time_step *rules)
{
    const int64_t whole = (int64_t)1 << cst_stepping_finest(rules);
    return stepping->ticks % whole == 0 ? stepping->ticks / whole : -1;
}

bool cst_stepping_retry(cst_stepping *stepping, const cst_time_step *rules, cst_step_fault fault)
{
    if (fault == CST_STEP_GOOD || stepping->level >= halvings(rules, fault))
        return false;
    stepping->level++;
    stepping->calm = 0;
    return true;
}

void cst_stepping_accept(cst_stepping *stepping, const cst_time_step *rules, cst_step_fault fault)
{
    stepping->ticks += step_ticks(stepping, rules);
    stepping->steps++;
    stepping->calm = fault == CST_STEP_GOOD || halvings(rules, fault) == 0 ? stepping->calm + 1 : 0;
    if (stepping->level > 0 && stepping->calm >= rules->calm_steps && stepping->ticks % (2 * step_ticks(stepping, rules)) == 0) {
        stepping->level--;
        stepping->calm = 0;
    }
}
