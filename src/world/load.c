#include "world/load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vector3.h"
#include "world/point_motion.h"

static bool check(const cst_load_def *def, int bodies, char *message, size_t size)
{
    if (def->at.body == 0 || def->at.body > (cst_body_id)bodies) {
        snprintf(message, size, "load: must act on a body, and there is no body %u", def->at.body);
        return false;
    }
    for (int c = 0; c < 3; c++) {
        if (isfinite(def->force[c]) && isfinite(def->moment[c]))
            continue;
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

void cst_load_set(cst_load *load, const double *force, const double *moment)
{
    for (int c = 0; c < 3; c++) {
        load->force[c] = c < load->dim ? force[c] : 0.0;
        load->moment[c] = c == 2 || load->dim == 3 ? moment[c] : 0.0;
    }
}

bool cst_load_create(const cst_load_def *def, int dim, const cst_body_model *body, int bodies, cst_arena *arena, cst_load *out,
                     char *message, size_t message_size)
{
    if (!check(def, bodies, message, message_size))
        return false;
    const cst_body_model *on = body + (def->at.body - 1);
    *out = (cst_load){.body = (int32_t)def->at.body - 1, .dim = dim, .follower = def->follower, .times = def->times};
    cst_load_set(out, def->force, def->moment);
    if (!on->class->places->locate(on->self, &def->at, &out->at)) {
        snprintf(message, message_size, "load: not a place of body %u (s = %g m)", def->at.body, def->at.s);
        return false;
    }

    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_point_motion room;
    const bool placed = cst_point_motion_take(arena, on, dim, &room);
    if (placed) {
        on->class->places->point(on->self, &out->at, &room);
        out->angle = room.frame_angle;
        memcpy(out->frame, room.frame, sizeof out->frame);
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

/* Rotates a vector by the rotation that the body has made at the loaded point since the load was added. */
static void turn_with(const cst_load *load, const cst_point_motion *on, const double *from, double *out)
{
    if (load->dim == 3) {
        double in_body[3];
        cst_apply_transposed3(load->frame, from, in_body);
        cst_apply3(on->frame, in_body, out);
        return;
    }
    const double turn = on->frame_angle - load->angle, c = cos(turn), s = sin(turn);
    out[0] = c * from[0] - s * from[1];
    out[1] = s * from[0] + c * from[1];
    out[2] = from[2];
}

static void acting(const cst_load *load, double time, const cst_point_motion *on, double *force, double *moment)
{
    const double factor = cst_load_factor(load, time);
    memcpy(force, load->force, sizeof load->force);
    memcpy(moment, load->moment, sizeof load->moment);
    if (load->follower) {
        turn_with(load, on, load->force, force);
        turn_with(load, on, load->moment, moment);
    }
    for (int c = 0; c < 3; c++) {
        force[c] *= factor;
        moment[c] *= factor;
    }
}

void cst_load_at(const cst_load *load, const cst_body_model *body, double time, cst_point_motion *room, cst_point_load *out)
{
    const cst_body_model *on = body + load->body;
    on->class->places->point(on->self, &load->at, room);
    *out = (cst_point_load){.at = load->at};
    acting(load, time, room, out->force, out->moment);
}

bool cst_load_begin(cst_load *load, const cst_body_model *body, cst_arena *arena)
{
    return cst_point_motion_take(arena, body + load->body, load->dim, &load->motion);
}

void cst_load_apply(cst_load *load, const cst_body_model *body, const cst_step_frame *frame)
{
    const cst_body_model *on = body + load->body;
    double impulse[3], moment[3];
    on->class->places->point(on->self, &load->at, &load->motion);
    acting(load, frame->time + frame->theta * cst_frame_span(frame), &load->motion, load->force_now, load->moment_now);
    for (int c = 0; c < 3; c++) {
        impulse[c] = frame->dt * load->force_now[c];
        moment[c] = frame->dt * load->moment_now[c];
    }
    cst_point_motion_push(&load->motion, load->dim, impulse, moment, on->class->dynamics->rhs(on->self));
    if (on->class->dynamics->push)
        on->class->dynamics->push(on->self, &load->at, impulse, moment);
}

double cst_load_work(const cst_load *load, const cst_step_frame *frame, const double *v_theta)
{
    double velocity[3], turn[3];
    cst_point_motion_velocity(&load->motion, load->dim, v_theta, velocity, turn);
    return frame->dt * (cst_dot3(load->force_now, velocity) + cst_dot3(load->moment_now, turn));
}
