/* Version, scenes, runs and caches through the public headers alone. */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "capstan/cache.h"
#include "capstan/run.h"
#include "capstan/scene.h"
#include "capstan/version.h"

static char message[512];

static const char GOOD[] =
    "{\"capstan\": 1, \"dim\": 2, \"duration\": 0.1, \"output\": {\"frame_interval\": 0.01}, \"time_step\": {\"dt\": 0.001},"
    " \"obstacles\": [{\"name\": \"ground\", \"shape\": \"half_plane\", \"position\": [0, 0], \"normal\": [0, 1]}],"
    " \"rods\": [{\"name\": \"rod\", \"elements\": 4, \"length\": 0.5, \"radius\": 0.01, \"density\": 1000,"
    " \"young\": 1e6, \"position\": [0, 0.01]}]}";

static cst_scene *scene_of(const char *text)
{
    cst_scene *scene = cst_scene_read_text(text, strlen(text), "test.json", NULL, 0, NULL);
    assert_non_null(scene);
    const cst_scene_fault *fault;
    if (cst_scene_faults(scene, &fault) > 0)
        fail_msg("%s:%d: %s: %s", fault->file, fault->line, fault->key, fault->message);
    return scene;
}

static void version(void **state)
{
    (void)state;
    char own[32];
    snprintf(own, sizeof own, "%d.%d.%d", CST_VERSION_MAJOR, CST_VERSION_MINOR, CST_VERSION_PATCH);
    assert_memory_equal(cst_version(), own, strlen(own));
    assert_int_equal(cst_struct_size("cst_world_def"), sizeof(cst_world_def));
    assert_int_equal(cst_struct_size("cst_step_report"), sizeof(cst_step_report));
    assert_int_equal(cst_struct_size("cst_run_settings"), sizeof(cst_run_settings));
    assert_int_equal(cst_struct_size("cst_cache_frame"), sizeof(cst_cache_frame));
    assert_int_equal(cst_struct_size("cst_nothing"), 0);
}

/* Every struct that a public header defines has a size in the library. */
static void sizes_of_all_structs(void **state)
{
    (void)state;
    const char *const folder = CAPSTAN_TEST_DATA "/../../include/capstan";
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int structs = 0;
    for (const struct dirent *entry; (entry = readdir(directory));) {
        char path[1024], line[512], name[64], brace;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *header = strstr(entry->d_name, ".h") ? fopen(path, "r") : NULL;
        while (header && fgets(line, sizeof line, header)) {
            if (sscanf(line, "typedef struct %63s %c", name, &brace) != 2 || brace != '{')
                continue;
            if (cst_struct_size(name) == 0)
                fail_msg("%s of %s is not in the table of cst_struct_size", name, entry->d_name);
            structs++;
        }
        if (header)
            fclose(header);
    }
    closedir(directory);
    assert_true(structs > 40);
}

static void mistakes_of_a_scene(void **state)
{
    (void)state;
    const char bad[] = "{\"capstan\": 1,\n \"dim\": 2, \"duration\": -1,\n \"rods\": [{\"name\": \"rod\", \"raduis\": 0.01}]}";
    cst_scene *scene = cst_scene_read_text(bad, sizeof bad - 1, "bad.json", NULL, 0, NULL);
    const cst_scene_fault *fault;
    const int faults = cst_scene_faults(scene, &fault);
    assert_true(faults > 2);
    assert_int_equal(fault[0].line, 2);
    bool found = false;
    for (int i = 0; i < faults; i++)
        found = found || strstr(fault[i].message, "did you mean \"radius\"");
    assert_true(found);
    cst_run_settings settings = cst_run_settings_default();
    cst_run_result result;
    settings.directory = "never";
    assert_int_equal(cst_run(scene, &settings, &result), CST_RUN_REFUSED);
    assert_non_null(strstr(result.message, "mistakes"));
    assert_null(cst_scene_world(scene, 0, message, sizeof message));
    assert_non_null(strstr(message, "mistakes"));
    const cst_machine machine = {0};
    assert_null(cst_examine(scene, &machine, message, sizeof message));
    assert_string_equal(cst_scene_title(scene), "");
    cst_scene_free(scene);
    scene = cst_scene_read_file("there_is_no_such.json", NULL, 0, NULL);
    assert_int_equal(cst_scene_faults(scene, &fault), 1);
    assert_non_null(strstr(fault[0].message, "No such file"));
    assert_string_equal(cst_scene_title(scene), "");
    cst_scene_free(scene);
}

static void warnings_of_a_scene(void **state)
{
    (void)state;
    const char *const deeper[1] = {"rods.rod.position=[0, -0.1]"};
    cst_scene *scene = cst_scene_read_text(GOOD, sizeof GOOD - 1, "test.json", deeper, 1, NULL);
    const cst_machine machine = {0};
    cst_examination *examination = cst_examine(scene, &machine, message, sizeof message);
    const cst_finding *finding;
    assert_non_null(examination);
    assert_true(cst_examination_findings(examination, &finding) > 0);
    assert_non_null(strstr(finding[0].text, finding[0].name));
    assert_true(strlen(cst_examination_summary(examination)) > 0);
    cst_examination_free(examination);
    cst_scene_free(scene);
}

typedef struct counts {
    int before, after, frames;
    int stop_at; /* steps, or 0 */
} counts;

static bool count_before(void *user, cst_world *world)
{
    counts *seen = user;
    double none[3] = {0.0, -9.81, 0.0};
    seen->before++;
    return cst_world_set_gravity(world, none, message, sizeof message);
}

static bool count_after(void *user, const cst_run_progress *now)
{
    counts *seen = user;
    seen->after++;
    seen->frames += now->frame;
    assert_true(cst_world_time(now->world) == now->report->time);
    return seen->stop_at == 0 || seen->after < seen->stop_at;
}

static void run_and_read_back(void **state)
{
    (void)state;
    char directory[] = "public_library_XXXXXX", remove[64];
    assert_non_null(mkdtemp(directory));
    cst_scene *scene = scene_of(GOOD);
    cst_run_settings settings = {0};
    cst_run_result result;
    assert_int_equal(cst_run(scene, &settings, &result), CST_RUN_REFUSED);
    assert_non_null(strstr(result.message, "cst_run_settings_default"));
    settings = cst_run_settings_default();
    assert_int_equal(cst_run(scene, &settings, &result), CST_RUN_REFUSED);
    assert_non_null(strstr(result.message, "directory"));
    counts seen = {.stop_at = 40};
    settings.directory = directory;
    settings.before_step = count_before;
    settings.progress = count_after;
    settings.user = &seen;
    assert_int_equal(cst_run(scene, &settings, &result), CST_RUN_INTERRUPTED);
    assert_int_equal(seen.before, 40);
    assert_int_equal(seen.after, 40);
    seen.stop_at = 0;
    settings.resume = true;
    assert_int_equal(cst_run(scene, &settings, &result), CST_RUN_FINISHED);
    assert_int_equal(seen.after, 100);
    assert_int_equal(seen.frames, 10);
    assert_int_equal(result.totals.steps, 100);

    cst_cache *cache = cst_cache_open(directory, message, sizeof message);
    assert_non_null(cache);
    const cst_cache_info *info = cst_cache_about(cache);
    assert_int_equal(info->frames, 11);
    assert_int_equal(info->steps, 100);
    assert_string_equal(cst_cache_body_name(cache, 1), "rod");
    double time[100], frame_time[11];
    const char *unit = NULL;
    assert_string_equal(cst_cache_step_column_name(0, &unit), "time");
    assert_string_equal(unit, "s");
    int columns = 0;
    while (cst_cache_step_column_name(columns, NULL)) {
        double value[100];
        assert_true(cst_cache_step_column(cache, cst_cache_step_column_name(columns, NULL), value));
        columns++;
    }
    assert_true(columns > 20);
    assert_null(cst_cache_step_column_name(-1, NULL));
    assert_true(cst_cache_step_column(cache, "time", time) && cst_cache_frame_times(cache, frame_time));
    assert_true(time[99] == frame_time[10] && fabs(time[99] - 0.1) < 1e-12);
    assert_false(cst_cache_step_column(cache, "nothing", time));
    assert_non_null(strstr(cst_cache_message(cache), "nothing"));
    cst_cache_frame frame;
    assert_true(cst_cache_frame_read(cache, 10, &frame));
    assert_int_equal(frame.items, 2);
    assert_true(frame.contacts > 0);
    assert_false(cst_cache_frame_read(cache, 11, &frame));
    cst_cache_close(cache);
    cst_scene_free(scene);
    snprintf(remove, sizeof remove, "rm -r %s", directory);
    assert_int_equal(system(remove), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(version), cmocka_unit_test(sizes_of_all_structs),
                                       cmocka_unit_test(mistakes_of_a_scene), cmocka_unit_test(warnings_of_a_scene),
                                       cmocka_unit_test(run_and_read_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
