#include "render/survey.h"

#include <math.h>
#include <stdio.h>

void cst_moment_bounds(const cst_moment *now, cst_bounds *bodies, cst_bounds *surroundings)
{
    for (int i = 0; i < now->items; i++) {
        const cst_moment_item *item = &now->item[i];
        for (int k = item->first; item->as != CST_DRAWN_HALF_PLANE && k < item->first + item->vertices; k++)
            cst_bounds_add(item->owner == CST_ITEM_BODY ? bodies : surroundings, now->position + 3 * (size_t)k, now->radius[k]);
    }
}

static void look(cst_survey *survey, const cst_moment *now)
{
    cst_moment_bounds(now, &survey->bodies, &survey->surroundings);
    for (int i = 0; i < now->items; i++) {
        const cst_moment_item *item = &now->item[i];
        const bool curve = item->as == CST_DRAWN_CURVE;
        if (item->owner == CST_ITEM_OBSTACLE || !(curve || item->as == CST_DRAWN_MESH))
            continue;
        for (int k = item->first; k < item->first + item->vertices; k++) {
            cst_spread_add(&survey->speed, now->speed[k]);
            if (curve) {
                cst_spread_add(&survey->curvature, now->curvature[k]);
                cst_spread_add(&survey->twist, now->twist[k]);
            }
        }
    }
    for (int i = 0; i < now->contacts; i++) {
        const double *f = now->contact[i].force;
        double force = hypot(hypot(f[0], f[1]), f[2]);
        if (force > 0.0)
            cst_spread_add(&survey->force, force);
    }
}

bool cst_survey_make(cst_survey *survey, cst_run_reader *reader, bool (*carry_on)(void *user, int64_t done, int64_t all),
                     void *user, char *message, size_t message_size)
{
    const double *time;
    int64_t frames = cst_run_reader_times(reader, &time);
    *survey = (cst_survey){0};
    for (int64_t k = 0; k < frames; k++) {
        cst_moment now;
        if (!cst_run_reader_at(reader, time[k], &now, message, message_size))
            return false;
        look(survey, &now);
        if (carry_on && !carry_on(user, k + 1, frames)) {
            snprintf(message, message_size, "stopped");
            return false;
        }
    }
    cst_spread_finish(&survey->curvature);
    cst_spread_finish(&survey->speed);
    cst_spread_finish(&survey->twist);
    cst_spread_finish(&survey->force);
    survey->made = true;
    return true;
}
