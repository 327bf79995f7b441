#include "cli/run_summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "write/directory.h"
#include "write/json_write.h"

static const char *end_name(const cst_run_result *result)
{
    switch (result->end) {
    case CST_RUN_FINISHED:
        return result->at_rest ? "at rest" : "finished";
    case CST_RUN_ALREADY:
        return "had finished before";
    case CST_RUN_INTERRUPTED:
        return "stopped and saved";
    case CST_RUN_FAILED:
        return "failed";
    case CST_RUN_REFUSED:
        break;
    }
    return "refused";
}

static void label(FILE *to, const cst_look *look, const char *text)
{
    cst_look_print(to, look, CST_TONE_FAINT, "  %-12s", text);
}

static void print_size(FILE *to, const char *directory)
{
    char *cache = cst_path_join(directory, "cache.h5", "");
    struct stat about;
    if (cache && stat(cache, &about) == 0) {
        double bytes = (double)about.st_size;
        if (bytes < 1e6)
            fprintf(to, ", cache of %.3g kB", bytes / 1e3);
        else
            fprintf(to, ", cache of %.3g MB", bytes / 1e6);
    }
    free(cache);
}

static void print_figures(FILE *to, const cst_look *look, const cst_run_result *result)
{
    const cst_run_totals *totals = &result->totals;
    const cst_energies *energy = &totals->energy;
    cst_tone tone = totals->missed == 0 ? CST_TONE_GOOD : CST_TONE_DOUBTFUL;
    if (result->speed_at_first > 0.0) {
        label(to, look, "began");
        fprintf(to, "as another run ended, nothing faster than %.2g m/s\n", result->speed_at_first);
    }
    label(to, look, "steps");
    fprintf(to, "%lld", (long long)totals->steps);
    if (totals->retries > 0)
        fprintf(to, ", %lld begun again with half the dt or less restitution", (long long)totals->retries);
    fputc('\n', to);
    label(to, look, "contacts");
    fprintf(to, "at most %lld", (long long)totals->contacts_max);
    if (totals->contacts_max > 0)
        fprintf(to, " (nu %.2g)", totals->nu_max);
    if (totals->deepest_penetration > 0)
        fprintf(to, ", at worst %.2g m deep", totals->deepest_penetration);
    fputc('\n', to);
    label(to, look, "residual E");
    cst_look_print(to, look, tone, "at worst %.2g", totals->worst_error);
    if (totals->worst_step > 0)
        fprintf(to, " (step %lld)", (long long)totals->worst_step);
    fputc('\n', to);
    label(to, look, "tolerance");
    fprintf(to, "%.0e, ", result->tolerance);
    cst_look_print(to, look, tone, "%lld steps over it\n", (long long)totals->missed);
    if (totals->worst_imbalance > 0) {
        label(to, look, "");
        fprintf(to, "equilibria, out of balance by %.2g N at worst\n", totals->worst_imbalance);
    }
    if (totals->unconverged > 0) {
        label(to, look, "");
        cst_look_print(to, look, CST_TONE_DOUBTFUL, "%lld iterated steps did not converge\n", (long long)totals->unconverged);
    }
    if (totals->crossed > 0) {
        label(to, look, "crossings");
        cst_look_print(to, look, CST_TONE_BAD, "%lld steps end with triangles that cross, at most %lld pairs\n",
                       (long long)totals->crossed, (long long)totals->crossings_max);
    }
    label(to, look, "energy");
    fprintf(to, "kinetic %.4g, elastic %.4g, gravity %.4g J\n", energy->kinetic, energy->elastic, energy->gravity);
    label(to, look, "");
    const bool unexplained = cst_run_unexplained(totals);
    fprintf(to, "by friction %.4g, ", energy->friction);
    cst_look_print(to, look, unexplained ? CST_TONE_BAD : CST_TONE_PLAIN, "unexplained %.2g J\n", energy->unexplained);
    if (unexplained) {
        label(to, look, "");
        cst_look_print(to, look, CST_TONE_BAD,
                       "up to %.2g J unexplained beside %.3g J that moved; most in step %lld, at %.6g s (docs/world.md)\n",
                       totals->unexplained, energy->moved, (long long)totals->unexplained_step, totals->unexplained_time);
    }
}

void cst_run_summary_print(FILE *to, const cst_look *look, const char *title, const char *directory, const cst_run_result *result)
{
    const cst_run_totals *totals = &result->totals;
    char took[32];
    cst_seconds_text(result->seconds, took, sizeof took);
    cst_tone tone = result->end == CST_RUN_FAILED ? CST_TONE_BAD : CST_TONE_STRONG;
    cst_look_print(to, look, tone, "%s%s%s", title, *title ? ": " : "", end_name(result));
    fprintf(to, " at %.6g s of %.6g s", totals->time, result->duration);
    if (result->end != CST_RUN_ALREADY) {
        fprintf(to, ", %s", took);
        if (result->start_time > 0.0)
            fprintf(to, " from %.6g s on", result->start_time);
    }
    fputc('\n', to);
    print_figures(to, look, result);
    label(to, look, "results");
    fprintf(to, "%s: %lld frames", directory, (long long)totals->frames);
    print_size(to, directory);
    fputc('\n', to);
    if (result->end != CST_RUN_FAILED) {
        label(to, look, "next");
        fprintf(to, "capstan view %s, capstan plot %s\n", directory, directory);
    }
}

void cst_run_summary_json(FILE *to, const char *directory, const cst_run_result *result)
{
    static const char *const ends[] = {"finished", "already finished", "interrupted", "failed", "refused"};
    const cst_run_totals *totals = &result->totals;
    cst_json_writer json = cst_json_begin(to);
    cst_json_object(&json, NULL);
    cst_json_text(&json, "event", "end");
    cst_json_text(&json, "state", ends[result->end]);
    cst_json_text(&json, "message", result->message);
    cst_json_text(&json, "directory", directory);
    cst_json_real(&json, "time", totals->time);
    cst_json_real(&json, "duration", result->duration);
    cst_json_integer(&json, "steps", totals->steps);
    cst_json_integer(&json, "frames", totals->frames);
    cst_json_integer(&json, "contacts_max", totals->contacts_max);
    cst_json_real(&json, "nu_max", totals->nu_max);
    cst_json_real(&json, "worst_error", totals->worst_error);
    cst_json_integer(&json, "steps_over_tolerance", totals->missed);
    cst_json_integer(&json, "steps_not_converged", totals->unconverged);
    cst_json_integer(&json, "steps_with_crossings", totals->crossed);
    cst_json_real(&json, "energy_kinetic", totals->energy.kinetic);
    cst_json_real(&json, "energy_unexplained", totals->energy.unexplained);
    cst_json_real(&json, "energy_moved", totals->energy.moved);
    cst_json_boolean(&json, "energy_explained", !cst_run_unexplained(totals));
    cst_json_real(&json, "seconds", result->seconds);
    cst_json_object_end(&json);
    cst_json_line_end(&json);
}

static void say_memory(FILE *to, const cst_memory_limit *limit, const char *again, const cst_run_result *result)
{
    if (limit->bytes > 0.0)
        fprintf(to, "capstan run: memory was limited to %.0f MiB%s\n", limit->bytes / (1 << 20),
                limit->asked ? " by --memory" : ", what was free when the run began (--memory SIZE sets another limit)");
    if (!result->disk)
        fprintf(to, "What was saved is whole, up to %.9g s. With more memory: %s\n", result->saved_time, again);
}

void cst_run_summary_trouble(FILE *to, const char *again, const char *directory, const cst_memory_limit *limit,
                             const cst_run_result *result)
{
    if (result->message[0])
        fprintf(to, "capstan run: %s\n", result->message);
    if (result->totals.crossed > 0)
        fprintf(to, "capstan run: in %lld steps %s; the results are wrong there (docs/world.md)\n",
                (long long)result->totals.crossed, result->totals.crossing);
    if (result->was_killed && result->end != CST_RUN_REFUSED)
        fprintf(to, "capstan run: the run in %s had been killed\n", directory);
    if (result->from_previous)
        fprintf(to, "capstan run: the last checkpoint was missing or damaged; went on from the one before\n");
    if (result->started_over)
        fprintf(to, "capstan run: %s had no checkpoint yet; began again\n", directory);
    if (result->end == CST_RUN_FAILED && result->disk)
        fprintf(to, "What was saved is whole, up to %.9g s. Once that is mended: %s\n", result->saved_time, again);
    if (result->end == CST_RUN_FAILED && strstr(result->message, "memory"))
        say_memory(to, limit, again, result);
    if (result->end == CST_RUN_INTERRUPTED)
        fprintf(to, "capstan run: stopped at %.9g s; to go on: %s\n", result->totals.time, again);
}
