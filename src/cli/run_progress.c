#include "cli/run_progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "write/json_write.h"
#include "write/utf8.h"

#define FIRST_SHOWN 0.15 /* seconds before the progress line is shown; for shorter runs the line would only flicker */
#define SHOWN_EVERY 0.1
#define TOLD_EVERY 1.0 /* lines of JSON */
#define MEASURED_EVERY 0.25
#define MEMORY 2.0 /* the speed of the run is averaged over 2 s, or over 20 steps if these take longer */
#define MEMORY_STEPS 20.0

enum { BAR_LEAST = 8, BAR_MOST = 32, FIELDS = 8, FIELD_BYTES = 40, LINE_BYTES = 1024 };

void cst_run_view_begin(cst_run_view *view, cst_run_show show, const char *title)
{
    double now = cst_clock_seconds();
    *view = (cst_run_view){.show = show, .title = title, .look = cst_terminal_look(stderr), .started = now, .measured = now};
    view->shown = show == CST_SHOW_JSON ? now - TOLD_EVERY : now + FIRST_SHOWN - SHOWN_EVERY;
    view->measured_steps = -1;
}

/* --------------------------------------------------------------------------------------------------------------- speed */

/* Measures the speed of the run, in steps and in simulated time per second of wall clock time. The remaining time is estimated
 * from the simulated time per second, because the length of steps varies. */
static void measure(cst_run_view *view, const cst_run_progress *now, double time)
{
    if (view->measured_steps < 0) {
        view->measured_time = now->totals->time - now->report->dt;
        view->measured_steps = now->totals->steps - 1;
    }
    double since = time - view->measured;
    if (since < MEASURED_EVERY)
        return;
    double steps = (double)(now->totals->steps - view->measured_steps) / since,
           pace = (now->totals->time - view->measured_time) / since;
    double memory = view->step_rate > 0 ? fmax(MEMORY, MEMORY_STEPS / view->step_rate) : 0;
    double weight = memory > 0 ? 1 - exp(-since / memory) : 1;
    view->step_rate += weight * (steps - view->step_rate);
    view->pace += weight * (pace - view->pace);
    view->measured = time;
    view->measured_steps = now->totals->steps;
    view->measured_time = now->totals->time;
}

/* Returns the estimated remaining time of the run in seconds, or NaN if it is unknown. */
static double time_left(const cst_run_view *view, const cst_run_progress *now)
{
    return view->pace > 0 ? fmax(0, now->duration - now->totals->time) / view->pace : (double)NAN;
}

static double share_done(const cst_run_progress *now)
{
    return now->duration > 0 ? fmin(1.0, now->totals->time / now->duration) : 1.0;
}

/* ------------------------------------------------------------------------------------------------------------ live line */

/* "0:07", "12:30", "3:05:00". */
static void clock_text(double seconds, char *text, size_t size)
{
    if (!(seconds < 360000.0)) {
        snprintf(text, size, "-:--");
        return;
    }
    int whole = (int)ceil(seconds), hours = whole / 3600, minutes = whole / 60 % 60;
    if (hours > 0)
        snprintf(text, size, "%d:%02d:%02d", hours, minutes, whole % 60);
    else
        snprintf(text, size, "%d:%02d", minutes, whole % 60);
}

/* Returns the number of decimals with which the simulated time is printed: enough to show a thousandth of the duration, but at
 * most 9. */
static int decimals(double duration)
{
    double digits = 3 - floor(log10(duration > 0 ? duration : 1.0));
    return digits < 0 ? 0 : digits > 9 ? 9 : (int)digits;
}

/* Writes the part of the progress line after the progress bar. */
static int make_fields(const cst_run_view *view, const cst_run_progress *now, char field[FIELDS][FIELD_BYTES])
{
    const cst_step_report *report = now->report;
    char left[16];
    clock_text(time_left(view, now), left, sizeof left);
    int count = 0;
    snprintf(field[count++], FIELD_BYTES, "%3.0f%%", floor(100 * share_done(now)));
    snprintf(field[count++], FIELD_BYTES, "%.*f/%g s", decimals(now->duration), now->totals->time, now->duration);
    snprintf(field[count++], FIELD_BYTES, "ETA %s", left);
    snprintf(field[count++], FIELD_BYTES, "E %.0e", report->residual.error);
    snprintf(field[count++], FIELD_BYTES, "%d contact%s", report->contacts, report->contacts == 1 ? "" : "s");
    if (view->step_rate > 0)
        snprintf(field[count++], FIELD_BYTES, "%.*f steps/s", view->step_rate < 10 ? 1 : 0, view->step_rate);
    snprintf(field[count++], FIELD_BYTES, "%d iteration%s", report->iterations, report->iterations == 1 ? "" : "s");
    return count;
}

static void make_bar(const cst_run_view *view, double share, int width, char *bar, size_t size)
{
    static const char *const eighth[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int eighths = (int)floor(8 * width * share), full = eighths / 8, done = full;
    const char *const part = view->look.unicode && full < width ? eighth[eighths % 8] : "";
    size_t used = (size_t)snprintf(bar, size, "%s", view->look.colour ? "\033[36m" : "");
    for (int i = 0; i < full; i++)
        used += (size_t)snprintf(bar + used, size - used, "%s", view->look.unicode ? "█" : "#");
    if (*part) {
        used += (size_t)snprintf(bar + used, size - used, "%s", part);
        done++;
    }
    used += (size_t)snprintf(bar + used, size - used, "%s", view->look.colour ? "\033[0;2m" : "");
    for (int i = done; i < width; i++)
        used += (size_t)snprintf(bar + used, size - used, "%s", view->look.unicode ? "·" : ".");
    snprintf(bar + used, size - used, "%s", view->look.colour ? "\033[0m" : "");
}

/* Makes the progress line. Colour codes do not count towards the width of the line, because they take no space on the screen. */
static void make_line(const cst_run_view *view, const cst_run_progress *now, int width, char *line, size_t size)
{
    char field[FIELDS][FIELD_BYTES], bar[4 * BAR_MOST + 32];
    int fields = make_fields(view, now, field), shown = 0, used = 0;
    while (shown < fields && used + 2 + (int)strlen(field[shown]) + BAR_LEAST <= width)
        used += 2 + (int)strlen(field[shown++]);
    int title = *view->title ? cst_utf8_width(view->title) + 2 : 0;
    bool titled = shown == fields && title > 0 && used + title + BAR_LEAST <= width;
    int room = width - used - (titled ? title : 0);
    make_bar(view, share_done(now), room < 1 ? 1 : room > BAR_MOST ? BAR_MOST : room, bar, sizeof bar);
    int at = snprintf(line, size, "%s%s%s", titled ? view->title : "", titled ? "  " : "", bar);
    for (int i = 0; i < shown && at >= 0 && (size_t)at < size; i++) {
        bool warn = view->look.colour && field[i][0] == 'E' && field[i][1] == ' ' && now->report->status != CST_SOLVED;
        at += snprintf(line + at, size - (size_t)at, "  %s%s%s", warn ? "\033[33m" : "", field[i], warn ? "\033[0m" : "");
    }
}

static void draw(cst_run_view *view, const cst_run_progress *now)
{
    char line[LINE_BYTES];
    int width = cst_terminal_look(stderr).width; /* may have changed */
    make_line(view, now, width > 2 ? width - 1 : 1, line, sizeof line);
    fprintf(stderr, "\r\033[K%s", line);
    fflush(stderr);
    view->drawn = true;
}

/* ---------------------------------------------------------------------------------------------------------------- JSON */

static void tell(const cst_run_view *view, const cst_run_progress *now)
{
    cst_json_writer json = cst_json_begin(stdout);
    cst_json_object(&json, NULL);
    cst_json_text(&json, "event", "progress");
    cst_json_real(&json, "time", now->totals->time);
    cst_json_real(&json, "duration", now->duration);
    cst_json_real(&json, "share", share_done(now));
    cst_json_integer(&json, "steps", now->totals->steps);
    cst_json_integer(&json, "frames", now->totals->frames);
    cst_json_integer(&json, "contacts", now->report->contacts);
    cst_json_real(&json, "nu", now->report->nu);
    cst_json_integer(&json, "iterations", now->report->iterations);
    cst_json_real(&json, "error", now->report->residual.error);
    cst_json_integer(&json, "steps_over_tolerance", now->totals->missed);
    cst_json_real(&json, "steps_per_second", view->step_rate > 0 ? view->step_rate : (double)NAN);
    cst_json_real(&json, "eta_seconds", time_left(view, now));
    cst_json_object_end(&json);
    cst_json_line_end(&json);
    fflush(stdout);
}

/* --------------------------------------------------------------------------------------------------------------- events */

bool cst_run_view_step(void *user, const cst_run_progress *now)
{
    cst_run_view *view = user;
    double time = cst_clock_seconds();
    measure(view, now, time);
    double every = view->show == CST_SHOW_JSON ? TOLD_EVERY : SHOWN_EVERY;
    if (view->show != CST_SHOW_NONE && time - view->shown >= every) {
        if (view->show == CST_SHOW_JSON)
            tell(view, now);
        else if (view->look.width > 0)
            draw(view, now);
        view->shown = time;
    }
    return !cst_interrupted();
}

void cst_run_view_end(cst_run_view *view)
{
    if (view->drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    view->drawn = false;
}
