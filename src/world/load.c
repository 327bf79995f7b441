#include "world/load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "world/point_motion.h"

static bool check(const cst_load_def *def, int bodies, char *message, size_t size)
{
    if (def->at.body == 0 || def->at.body > (cst_body_id)bodies) {
        snprintf(message, size, "load: must act on a body, and there is no body %u", def->at.body);
        return false;
    }
    if (!isfinite(def->force[0]) || !isfinite(def->force[1]) || !isfinite(def->moment[2])) {
        snprintf(message, size, "load: force and moment must be finite");
        return false;
    }
    if (def->times < 0 || (def->times > 0 && (!def->time || !def->factor))) {
        snprintf(message, size, "load: %d times, but no list of times and factors", def->times);
        return false;
    }
    for (int i = 0; i < def->times; i++) {
        if (!isfinite(def->time[i]) || !isfinite(def->factor[i])) {
            snprintf(message, size, "load: time or factor %d is not finite", i);
            return false;
        }
        if (i > 0 && !(def->time[i] > def->time[i - 1])) {
            snprintf(message, size, "load: times must increase, but time %d is %g s after %g s", i, def->time[i],
                     def->time[i - 1]);
            return false;
        }
    }
    return true;
}

bool cst_load_create(const cst_load_def *def, const cst_body_model *body, int bodies, cst_arena *arena, cst_load *out,
                     char *message, size_t message_size)
{
    if (!check(def, bodies, message, message_size))
        return false;
    const cst_body_model *on = body + (def->at.body - 1);
    *out = (cst_load){.body = (int32_t)def->at.body - 1,
                      .force = {def->force[0], def->force[1]},
                      .moment = def->moment[2],
                      .follower = def->follower,
                      .times = def->times};
    if (!on->class->locate(on->self, &def->at, &out->at)) {
        snprintf(message, message_size, "load: not a place of body %u (s = %g m)", def->at.body, def->at.s);
        return false;
    }

    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_point_motion room;
    const bool placed = cst_point_motion_take(arena, on, 2, &room);
    if (placed) {
        on->class->point(on->self, &out->at, &room);
        out->angle = room.frame_angle;
    }
    cst_arena_release(arena, mark);

    const size_t letters = def->name ? strlen(def->name) + 1 : 0;
    char *name = CST_TAKE(arena, char, letters);
    double *time = CST_TAKE(arena, double, def->times), *factor = CST_TAKE(arena, double, def->times);
    if (!placed || arena->failed) {
        snprintf(message, message_size, "load: out of memory");
        return false;
    }
    if (letters > 0)
        out->name = memcpy(name, def->name, letters);
    for (int i = 0; i < def->times; i++) {
        time[i] = def->time[i];
        factor[i] = def->factor[i];
    }
    out->time = time;
    out->factor = factor;
    return true;
}

double cst_load_factor(const cst_load *load, double time)
{
    if (load->times == 0)
        return 1.0;
    if (time <= load->time[0])
        return load->factor[0];
    for (int i = 1; i < load->times; i++)
        if (time < load->time[i]) {
            const double s = (time - load->time[i - 1]) / (load->time[i] - load->time[i - 1]);
            return load->factor[i - 1] + s * (load->factor[i] - load->factor[i - 1]);
        }
    return load->factor[load->times - 1];
}

/* Force and moment at a time, for a body that has the direction `angle` at the place. */
static void acting(const cst_load *load, double time, double angle, double *out)
{
    const double factor = cst_load_factor(load, time), turn = load->follower ? angle - load->angle : 0.0;
    const double c = cos(turn), s = sin(turn);
    out[0] = factor * (c * load->force[0] - s * load->force[1]);
    out[1] = factor * (s * load->force[0] + c * load->force[1]);
    out[2] = factor * load->moment;
}

void cst_load_at(const cst_load *load, const cst_body_model *body, double time, cst_point_motion *room, cst_point_load *out)
{
    const cst_body_model *on = body + load->body;
    on->class->point(on->self, &load->at, room);
    double now[3];
    acting(load, time, room->frame_angle, now);
    *out = (cst_point_load){.at = load->at, .force = {now[0], now[1], 0.0}, .moment = {0.0, 0.0, now[2]}};
}

bool cst_load_begin(cst_load *load, const cst_body_model *body, cst_arena *arena)
{
    return cst_point_motion_take(arena, body + load->body, 2, &load->motion);
}

void cst_load_apply(cst_load *load, const cst_body_model *body, const cst_step_frame *frame)
{
    const cst_body_model *on = body + load->body;
    on->class->point(on->self, &load->at, &load->motion);
    acting(load, frame->time + frame->theta * frame->dt, load->motion.frame_angle, load->applied);
    const double impulse[3] = {frame->dt * load->applied[0], frame->dt * load->applied[1], 0.0};
    const double moment[3] = {0.0, 0.0, frame->dt * load->applied[2]};
    cst_point_motion_push(&load->motion, impulse, moment[2], on->class->rhs(on->self));
    if (on->class->push)
        on->class->push(on->self, &load->at, impulse, moment);
}

double cst_load_work(const cst_load *load, const cst_step_frame *frame, const double *v_theta)
{
    double velocity[2], turn;
    cst_point_motion_velocity(&load->motion, v_theta, velocity, &turn);
    return frame->dt * (load->applied[0] * velocity[0] + load->applied[1] * velocity[1] + load->applied[2] * turn);
}
