/* A cache whose writer is killed at any moment, often, and goes on: every time it is whole, holds at least what was committed, and
 * in the end all rows are there with the values they should have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "cache/cache_read.h"
#include "cache/cache_write.h"

enum { STEPS = 3000, STEPS_PER_FRAME = 5, STEPS_PER_COMMIT = 20, KILLS = 40 };

static char path[256], count_path[300];

static double value_of(int64_t row, int column)
{
    return sin(0.37 * (double)row + column);
}

/* What a run appends in a step; frames have 1 to 4 items, of 0 to 16 vertices. */
static bool append_step(cst_cache_writer *writer, int64_t step)
{
    cst_step_report report = {.time = 1e-3 * (double)step, .dt = 1e-3, .step = step, .contacts = (int)(step % 7)};
    report.residual.error = value_of(step, 0);
    report.seconds_total = value_of(step, 1);
    bool ok = cst_cache_append(writer, CST_TABLE_STEPS, &report, 1) && cst_cache_append(writer, CST_TABLE_TIMINGS, &report, 1);
    if (step % STEPS_PER_FRAME != 0)
        return ok;
    cst_frame_row frame = {.time = report.time,
                           .step = step,
                           .whole = step,
                           .items = {cst_cache_rows(writer, CST_TABLE_ITEMS), 1 + step / STEPS_PER_FRAME % 4},
                           .contacts = {cst_cache_rows(writer, CST_TABLE_CONTACTS), report.contacts}};
    for (int64_t k = 0; k < frame.items.count; k++) {
        cst_item_row item = {.id = (uint32_t)k + 1,
                             .vertices = {cst_cache_rows(writer, CST_TABLE_VERTICES), (step + k) % 17},
                             .states = {cst_cache_rows(writer, CST_TABLE_STATES), 3}};
        cst_vertex_row vertex[17];
        cst_state_row state[3];
        for (int i = 0; i < 17; i++)
            vertex[i] = (cst_vertex_row){
                .position = {value_of(step, i), value_of(step, i + 1), (double)k}, .radius = 0.5, .curvature = (double)i};
        for (int i = 0; i < 3; i++)
            state[i].value = value_of(step + k, i);
        ok = ok && cst_cache_append(writer, CST_TABLE_VERTICES, vertex, item.vertices.count) &&
             cst_cache_append(writer, CST_TABLE_STATES, state, 3) && cst_cache_append(writer, CST_TABLE_ITEMS, &item, 1);
    }
    for (int k = 0; k < report.contacts; k++) {
        cst_contact_view contact = {.id = (uint64_t)step, .gap = value_of(step, k), .contact_case = CST_CASE_SLIDE};
        ok = ok && cst_cache_append(writer, CST_TABLE_CONTACTS, &contact, 1);
    }
    return ok && cst_cache_append(writer, CST_TABLE_FRAMES, &frame, 1);
}

/* The counts, put aside and renamed as a checkpoint is. */
static bool save_counts(const cst_cache_writer *writer)
{
    char aside[320];
    snprintf(aside, sizeof aside, "%s.aside", count_path);
    int64_t rows[CST_TABLES];
    for (int t = 0; t < CST_TABLES; t++)
        rows[t] = cst_cache_rows(writer, (cst_cache_table)t);
    int descriptor = open(aside, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    bool ok = descriptor >= 0 && write(descriptor, rows, sizeof rows) == (ssize_t)sizeof rows && close(descriptor) == 0;
    return ok && rename(aside, count_path) == 0;
}

static bool load_counts(int64_t *rows)
{
    memset(rows, 0, CST_TABLES * sizeof *rows);
    int descriptor = open(count_path, O_RDONLY);
    bool ok = descriptor >= 0 && read(descriptor, rows, CST_TABLES * sizeof *rows) == (ssize_t)(CST_TABLES * sizeof *rows);
    if (descriptor >= 0)
        close(descriptor);
    return ok;
}

/* In a process of its own. Exit 0: all written; 3: something failed. */
static int write_on(void)
{
    static const char *const names[] = {"rod"};
    const cst_cache_head head = {
        .dim = 2, .dt = 1e-3, .title = "kills", .scene = "{}", .source = "{ }", .bodies = 1, .body_name = names};
    char message[512];
    int64_t rows[CST_TABLES];
    bool resumed = load_counts(rows);
    cst_cache_writer *writer = resumed ? cst_cache_continue(path, rows, message, sizeof message)
                                       : cst_cache_create(path, &head, message, sizeof message);
    bool ok = writer != NULL;
    for (int64_t step = rows[CST_TABLE_STEPS] + 1; step <= STEPS && ok; step++) {
        ok = append_step(writer, step);
        if (step % STEPS_PER_COMMIT == 0)
            ok = ok && cst_cache_commit(writer, message, sizeof message) && save_counts(writer);
    }
    if (!ok)
        print_message("writer: %s\n", message);
    cst_cache_writer_free(writer);
    return ok ? 0 : 3;
}

static void check_frames(cst_cache *cache)
{
    const cst_cache_info *info = cst_cache_about(cache);
    for (int64_t k = 0; k<info->frames; k += info->frames> 40 ? 17 : 1) {
        cst_cache_frame frame;
        assert_true(cst_cache_frame_read(cache, k, &frame));
        int64_t step = STEPS_PER_FRAME * (k + 1);
        assert_int_equal(frame.step, step);
        assert_int_equal(frame.items, 1 + (k + 1) % 4);
        assert_int_equal(frame.contacts, step % 7);
        for (int i = 0; i < frame.items; i++) {
            assert_int_equal(frame.item[i].vertices, (step + i) % 17);
            assert_int_equal(frame.item[i].states, 3);
            assert_true(frame.item[i].state[2] == value_of(step + i, 2));
            for (int j = 0; j < frame.item[i].vertices; j++) {
                assert_true(frame.item[i].vertex[j].position[1] == value_of(step, j + 1));
                assert_true(frame.item[i].vertex[j].position[2] == i);
            }
        }
        for (int i = 0; i < frame.contacts; i++) {
            assert_true(frame.contact[i].gap == value_of(step, i));
            assert_int_equal(frame.contact[i].contact_case, CST_CASE_SLIDE);
        }
    }
}

/* Whole, and at least what the counts promise. */
static void check_cache(int64_t at_least)
{
    char message[512] = "";
    cst_cache *cache = cst_cache_open(path, message, sizeof message);
    if (!cache)
        fail_msg("%s", message);
    const cst_cache_info *info = cst_cache_about(cache);
    assert_true(info->steps >= at_least && info->steps % STEPS_PER_COMMIT == 0);
    assert_string_equal(info->scene, "{}");
    assert_string_equal(cst_cache_body_name(cache, 1), "rod");
    assert_string_equal(cst_cache_body_name(cache, 2), "");
    double *error = malloc(STEPS * sizeof *error);
    assert_true(cst_cache_step_column(cache, "error", error));
    for (int64_t k = 0; k < info->steps; k++)
        assert_true(error[k] == value_of(k + 1, 0));
    assert_false(cst_cache_step_column(cache, "no such column", error));
    free(error);
    check_frames(cache);
    cst_cache_close(cache);
}

static void nap(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&time, NULL);
}

static void kills_at_any_moment(void **state)
{
    (void)state;
    const char *more = getenv("CAPSTAN_KILLS");
    int kills = more ? atoi(more) : KILLS, killed = 0, finished = 0, journals = 0;
    cst_rng rng;
    cst_rng_seed(&rng, 11, 0);
    char journal[300];
    snprintf(journal, sizeof journal, "%s.journal", path);
    while (killed < kills || !finished) {
        fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            _exit(write_on());
        if (killed < kills) {
            nap(0.001 + 0.05 * cst_rng_uniform(&rng));
            kill(child, SIGKILL);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (WIFEXITED(status))
            assert_int_equal(WEXITSTATUS(status), 0);
        killed += WIFSIGNALED(status);
        journals += access(journal, F_OK) == 0;
        int64_t rows[CST_TABLES];
        if (load_counts(rows))
            check_cache(rows[CST_TABLE_STEPS]);
        finished = rows[CST_TABLE_STEPS] == STEPS;
        if (finished && killed < kills)
            assert_int_equal(unlink(count_path), 0); /* all over again */
    }
    check_cache(STEPS);
    print_message("%d kills, %d of them with a journal left behind\n", killed, journals);
}

int main(void)
{
    char directory[] = "/tmp/capstan-test-XXXXXX";
    if (!mkdtemp(directory))
        return 1;
    snprintf(path, sizeof path, "%s/cache.h5", directory);
    snprintf(count_path, sizeof count_path, "%s/counts", directory);
    const struct CMUnitTest tests[] = {cmocka_unit_test(kills_at_any_moment)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[320];
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command) == 0 ? failed : 1;
}
