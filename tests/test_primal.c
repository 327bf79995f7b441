/* The primal form: cloths with known answers (computed independently, tests/data), what it refuses, and dumped problems of a
 * cloth simulator. */
#include "base/arena.h"
#include "tests/friction_fixture.h"
#include "tests/json.h"

/* A cloth: one nodal body, contacts that touch a node per side. */
typedef struct cloth {
    cst_body_problem problem;
    cst_body body;
    double *offset, *mu;
    cst_contact_side *side_a, *side_b;
    cst_arena arena;
} cloth;

typedef struct block_entry {
    int row, column;
    double value[9];
} block_entry;

static int by_place(const void *a, const void *b)
{
    const block_entry *x = a, *y = b;
    return x->row != y->row ? (x->row > y->row) - (x->row < y->row) : (x->column > y->column) - (x->column < y->column);
}

/* entries is sorted on the way. */
static cloth *cloth_new(int nodes, block_entry *entries, int blocks, const double *rhs, int contacts)
{
    cloth *made = calloc(1, sizeof *made);
    assert_non_null(made);
    cst_arena_begin(&made->arena, NULL);
    int64_t *row_start = CST_TAKE(&made->arena, int64_t, nodes + 1);
    int32_t *column = CST_TAKE(&made->arena, int32_t, blocks);
    double *matrix = CST_TAKE(&made->arena, double, 9 * blocks), *own_rhs = CST_TAKE(&made->arena, double, 3 * nodes);
    qsort(entries, (size_t)blocks, sizeof *entries, by_place);
    for (int e = 0; e < blocks; e++) {
        column[e] = entries[e].column;
        memcpy(matrix + 9 * e, entries[e].value, sizeof entries[e].value);
        row_start[entries[e].row + 1] = e + 1;
    }
    memcpy(own_rhs, rhs, sizeof(double) * 3 * (size_t)nodes);
    made->body = (cst_body){
        .kind = CST_BODY_NODAL, .size = 3 * nodes, .matrix = matrix, .row_start = row_start, .column = column, .rhs = own_rhs};
    made->offset = CST_TAKE(&made->arena, double, 3 * contacts);
    made->mu = CST_TAKE(&made->arena, double, contacts);
    made->side_a = CST_TAKE(&made->arena, cst_contact_side, contacts);
    made->side_b = CST_TAKE(&made->arena, cst_contact_side, contacts);
    made->problem = (cst_body_problem){.dim = 3,
                                       .bodies = 1,
                                       .body = &made->body,
                                       .contacts = contacts,
                                       .side_a = made->side_a,
                                       .side_b = made->side_b,
                                       .velocity_offset = made->offset,
                                       .mu = made->mu};
    return made;
}

static void cloth_free(cloth *made)
{
    cst_arena_end(&made->arena);
    free(made);
}

/* rows (3 x 3): normal and tangents. node -1: an obstacle. */
static cst_contact_side touch(cloth *made, int node, double sign, const double *rows)
{
    if (node < 0)
        return (cst_contact_side){.body = -1};
    int32_t *dof = CST_TAKE(&made->arena, int32_t, 3);
    double *h = CST_TAKE(&made->arena, double, 9);
    for (int k = 0; k < 3; k++)
        dof[k] = 3 * node + k;
    for (int k = 0; k < 9; k++)
        h[k] = sign * rows[k];
    return (cst_contact_side){.body = 0, .dofs = 3, .dof = dof, .h = h};
}

static cst_friction_report solve(const cst_body_problem *problem, cst_form form, double tolerance, int max_iterations, double *r,
                                 double *u, double *v)
{
    cst_friction_options options = cst_friction_options_default();
    cst_friction_report report;
    options.form = form;
    options.tolerance = tolerance;
    options.max_iterations = max_iterations;
    memset(r, 0, sizeof(double) * 3 * (size_t)problem->contacts);
    cst_friction_solve_bodies(problem, &options, r, u, v, &report);
    return report;
}

/* -------------------------------------------------------------------------------------------------------- golden vectors */

static cloth *read_golden(const json *given)
{
    const int nodes = (int)json_number(given, "nodes");
    const json *rows = json_get(given, "A_i"), *columns = json_get(given, "A_j"), *values = json_get(given, "A_v");
    const json *contacts = json_get(given, "contacts");
    const double dt = json_number(given, "dt");
    block_entry *entries = calloc((size_t)nodes * (size_t)nodes, sizeof *entries);
    int *place = calloc((size_t)nodes * (size_t)nodes, sizeof *place), blocks = 0; /* 1 + entry of a block */
    double rhs[128];
    assert_non_null(entries);
    assert_non_null(place);
    for (size_t k = 0; k < values->count; k++) {
        const int i = (int)rows->item[k]->number, j = (int)columns->item[k]->number, at = i / 3 * nodes + j / 3;
        if (place[at] == 0) {
            entries[blocks] = (block_entry){.row = i / 3, .column = j / 3};
            place[at] = ++blocks;
        }
        entries[place[at] - 1].value[3 * (i % 3) + j % 3] = values->item[k]->number;
    }
    assert_int_equal(json_numbers(json_get(given, "b"), rhs, 128), 3 * nodes);
    for (int k = 0; k < 3 * nodes; k++) /* there, A v + b = sum of impulses */
        rhs[k] = -rhs[k];
    cloth *made = cloth_new(nodes, entries, blocks, rhs, (int)contacts->count);
    for (int i = 0; i < (int)contacts->count; i++) {
        const json *contact = contacts->item[i];
        double E[9], frame[9], obstacle[3] = {0};
        assert_int_equal(json_numbers(json_get(contact, "E"), E, 9), 9);
        for (int k = 0; k < 9; k++) /* there, columns are normal and tangents */
            frame[k] = E[3 * (k % 3) + k / 3];
        const bool self = strcmp(json_text(contact, "type"), "self") == 0;
        if (!self)
            json_numbers(json_get(contact, "vobs"), obstacle, 3);
        made->side_a[i] = touch(made, (int)json_number(contact, "i"), 1, frame);
        made->side_b[i] = touch(made, self ? (int)json_number(contact, "j") : -1, -1, frame);
        made->mu[i] = json_number(contact, "mu");
        made->offset[3 * i] = (json_number(contact, "z") - json_number(contact, "h")) / dt;
        for (int k = 0; k < 9; k++)
            made->offset[3 * i + k / 3] -= frame[k] * obstacle[k % 3];
    }
    free(entries);
    free(place);
    return made;
}

static void check_golden(const json *given, cst_form form)
{
    enum { MOST = 256 };
    cloth *made = read_golden(given);
    const int n = made->problem.contacts, dofs = made->body.size;
    double r[MOST], u[MOST], v[MOST], expected_v[MOST], scale = 0;
    assert_true(dofs <= MOST && 3 * n <= MOST);
    const cst_friction_report report = solve(&made->problem, form, 1e-12, 20000, r, u, v);
    assert_int_equal(report.status, CST_SOLVED);
    json_numbers(json_get(given, "v"), expected_v, MOST);
    for (int k = 0; k < dofs; k++)
        scale = fmax(scale, fabs(expected_v[k]));
    for (int k = 0; k < dofs; k++)
        if (!(fabs(v[k] - expected_v[k]) <= 1e-10 * scale))
            fail_msg("%s, %s: v[%d] = %.15g, not %.15g", json_text(given, "id"), cst_form_name(form), k, v[k], expected_v[k]);
    for (int i = 0; i < n; i++) {
        const json *contact = json_get(given, "contacts")->item[i];
        double expected_r[3], expected_u[3];
        json_numbers(json_get(contact, "r"), expected_r, 3);
        json_numbers(json_get(contact, "u"), expected_u, 3);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(u[3 * i + k] - expected_u[k]) <= 1e-9 * scale);
            /* impulses in the scale of momenta: those of several contacts at a node are determined less well than their sum */
            assert_true(fabs(r[3 * i + k] - expected_r[k]) <= 1e-7 * scale * made->body.matrix[0]);
        }
    }
    cloth_free(made);
}

static void test_golden_vectors(void **state)
{
    (void)state;
    json *file = json_read_data("primal.json");
    const json *problems = json_get(file, "problems");
    assert_true(problems->count >= 5);
    for (size_t k = 0; k < problems->count; k++)
        for (cst_form form = CST_FORM_EXPLICIT; form < CST_FORM_COUNT; form++)
            check_golden(problems->item[k], form);
    json_free(file);
}

/* ---------------------------------------------------------------------------------------------------------------- refused */

static const double FRAME[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};

/* Two nodes joined by a spring. */
static cloth *pair_of_nodes(int contacts)
{
    block_entry entries[4] = {{0, 0, {2, 0, 0, 0, 2, 0, 0, 0, 2}},
                              {0, 1, {-1, 0, 0, 0, -1, 0, 0, 0, -1}},
                              {1, 0, {-1, 0, 0, 0, -1, 0, 0, 0, -1}},
                              {1, 1, {2, 0, 0, 0, 2, 0, 0, 0, 2}}};
    const double rhs[6] = {1, 0.5, -1, 0, 0, -2};
    cloth *made = cloth_new(2, entries, 4, rhs, contacts);
    for (int i = 0; i < contacts; i++) {
        made->side_a[i] = touch(made, i % 2, 1, FRAME);
        made->side_b[i] = touch(made, -1, -1, FRAME);
        made->mu[i] = 0.5;
    }
    return made;
}

static void assert_refused(cloth *made, const char *says)
{
    double r[12] = {0}, u[12], v[12];
    const cst_friction_report report = solve(&made->problem, CST_FORM_PRIMAL, 1e-9, 1000, r, u, v);
    assert_int_equal(report.status, CST_BAD_PROBLEM);
    if (!strstr(report.message, says))
        fail_msg("\"%s\" does not say \"%s\"", report.message, says);
    cloth_free(made);
}

static void test_refusals(void **state)
{
    (void)state;
    /* two nodes on one side */
    cloth *made = pair_of_nodes(2);
    const int32_t all[] = {0, 1, 2, 3, 4, 5};
    double halves[18];
    for (int row = 0; row < 3; row++)
        for (int k = 0; k < 6; k++)
            halves[6 * row + k] = 0.5 * FRAME[3 * row + k % 3];
    made->side_a[1] = (cst_contact_side){.body = 0, .dofs = 6, .dof = all, .h = halves};
    assert_refused(made, "contact 1");
    /* not a rotation */
    made = pair_of_nodes(2);
    const double stretched[9] = {0, 0, 1.5, 1, 0, 0, 0, 1, 0};
    made->side_a[1] = touch(made, 1, 1, stretched);
    assert_refused(made, "contact 1");
    /* both sides on one node */
    made = pair_of_nodes(2);
    made->side_b[1] = touch(made, 1, -1, FRAME);
    assert_refused(made, "contact 1");
    /* no node at all */
    made = pair_of_nodes(2);
    made->side_a[1] = touch(made, -1, 1, FRAME);
    assert_refused(made, "contact 1");
    /* a body that is not nodal */
    made = pair_of_nodes(2);
    const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, rhs[3] = {0};
    const cst_body bodies[2] = {made->body, {.kind = CST_BODY_DENSE, .size = 3, .matrix = one, .rhs = rhs}};
    made->problem.bodies = 2;
    made->problem.body = bodies;
    assert_refused(made, "body 1 is not nodal");
}

/* By hand: two nodes pressed on a table by the spring's share, both sliding or sticking. */
static void test_two_nodes_by_hand(void **state)
{
    (void)state;
    cloth *made = pair_of_nodes(2);
    double r[6], u[6], v[6];
    /* vertical: both at rest, r_N = -rhs_z - (coupling of zeros) = 1 and 2; horizontal: node 0 is pushed by (1, 0.5) against
     * at most mu r_N = 0.5: it slides; node 1 is pulled by the spring with v_0, at most |v_0| < 1 = mu r_N: it sticks */
    const cst_friction_report report = solve(&made->problem, CST_FORM_PRIMAL, 1e-12, 1000, r, u, v);
    const double push = sqrt(1.25), slide = (push - 0.5) / 2;
    assert_int_equal(report.status, CST_SOLVED);
    assert_true(fabs(r[0] - 1) < 1e-11 && fabs(r[3] - 2) < 1e-11);
    assert_true(fabs(v[0] - slide / push) < 1e-11 && fabs(v[1] - 0.5 * slide / push) < 1e-11 && fabs(v[2]) < 1e-11);
    assert_true(fabs(v[3]) < 1e-11 && fabs(v[4]) < 1e-11 && fabs(v[5]) < 1e-11);
    assert_true(fabs(r[1] + 0.5 / push) < 1e-11 && fabs(r[2] + 0.25 / push) < 1e-11);
    assert_true(fabs(r[4] + slide / push) < 1e-11);
    cloth_free(made);
}

/* ----------------------------------------------------------------------------------------------------- dumped by a simulator */

/* "A i j 9 entries", "b 3", "c node node mu normal tangent offset". */
static cloth *read_dump(const char *name)
{
    char path[512], tag[16];
    int nodes, blocks, contacts, entry = 0, node = 0, at = 0;
    double dt;
    snprintf(path, sizeof path, "%s/cloth/problems/%s", CAPSTAN_SHARED, name);
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    if (fscanf(file, "nodal_dfcp 1 nv %d nblocks %d ncontacts %d dt %lf", &nodes, &blocks, &contacts, &dt) != 4)
        fail_msg("%s: not a dumped problem", path);
    block_entry *entries = calloc((size_t)blocks, sizeof *entries);
    double *rhs = new_doubles(3 * (size_t)nodes), *lines = new_doubles(12 * (size_t)contacts);
    assert_non_null(entries);
    while (fscanf(file, "%15s", tag) == 1) {
        double *to = NULL;
        int numbers = 0;
        if (strcmp(tag, "A") == 0 && entry < blocks) {
            if (fscanf(file, "%d %d", &entries[entry].row, &entries[entry].column) != 2)
                break;
            to = entries[entry++].value;
            numbers = 9;
        } else if (strcmp(tag, "b") == 0 && node < nodes) {
            to = rhs + 3 * (ptrdiff_t)node++;
            numbers = 3;
        } else if (strcmp(tag, "c") == 0 && at < contacts) {
            to = lines + 12 * (ptrdiff_t)at++;
            numbers = 12;
        } else {
            break;
        }
        for (int k = 0; k < numbers; k++)
            if (fscanf(file, "%lf", to + k) != 1)
                fail_msg("%s: a number is missing", path);
    }
    fclose(file);
    assert_true(entry == blocks && node == nodes && at == contacts);
    cloth *made = cloth_new(nodes, entries, blocks, rhs, contacts);
    for (int i = 0; i < contacts; i++) {
        const double *line = lines + 12 * (ptrdiff_t)i, *n = line + 3, *t = line + 6, *offset = line + 9;
        const double frame[9] = {
            n[0], n[1], n[2], t[0], t[1], t[2], n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]};
        made->side_a[i] = touch(made, (int)line[0], 1, frame);
        made->side_b[i] = touch(made, (int)line[1], -1, frame);
        made->mu[i] = line[2];
        for (int k = 0; k < 9; k++)
            made->offset[3 * i + k / 3] += frame[k] * offset[k % 3];
    }
    free(entries);
    free(rhs);
    free(lines);
    return made;
}

/* The largest difference from the velocities of a tight solution by the simulator that the problem was dumped from. */
static double off_tight(const char *name, const double *v, int nodes)
{
    char path[512];
    double error, worst = 0.0, one[3];
    int iterations;
    snprintf(path, sizeof path, "%s/cloth/problems/%s", CAPSTAN_SHARED, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "nodal_dfcp_tight 1 error %lf iterations %d", &error, &iterations), 2);
    for (int j = 0; j < nodes; j++) {
        assert_int_equal(fscanf(file, " v %lf %lf %lf", one, one + 1, one + 2), 3);
        for (int c = 0; c < 3; c++)
            worst = fmax(worst, fabs(one[c] - v[3 * j + c]));
    }
    fclose(file);
    return worst;
}

/* Sweeps of that simulator stop at 1e-4 m/s, or after 2,000 of them. Here all are solved to 1e-8 in a few Newton steps. */
static void test_dumped_cloth(void **state)
{
    (void)state;
    static const struct {
        const char *name, *tight;
        bool primal_too; /* the house of cards and the belt are too stiff for pinned copies in a short test */
        int steps;       /* of Newton's method at most, twice what it takes; 0: sweeps solve it first */
    } DUMPS[] = {
        {"inclined_plane_problem_000350.txt", "inclined_plane_tight_000350.txt", true, 0},
        {"drag_cloth_problem_000400.txt", "drag_cloth_tight_000400.txt", true, 0},
        {"drag_cloth_problem_000700.txt", "drag_cloth_tight_000700.txt", true, 0},
        {"box_and_cone_problem_000100.txt", NULL, true, 0},
        {"cards_low_friction_problem_000050.txt", NULL, false, 22},
        {"cards_low_friction_problem_000300.txt", NULL, false, 24},
        {"cards_high_friction_problem_000050.txt", NULL, false, 40},
        {"belt_high_tension_problem_000150.txt", NULL, false, 16},
    };
    for (size_t k = 0; k < sizeof DUMPS / sizeof *DUMPS; k++) {
        cloth *made = read_dump(DUMPS[k].name);
        if (!made) {
            print_message("%s/cloth is not there: skipped\n", CAPSTAN_SHARED);
            skip();
            return;
        }
        const size_t size = 3 * (size_t)made->problem.contacts;
        double *r = new_doubles(size), *u = new_doubles(size), *v = new_doubles((size_t)made->body.size);
        for (cst_form form = DUMPS[k].primal_too ? CST_FORM_PRIMAL : CST_FORM_MIXED; form <= CST_FORM_MIXED; form++) {
            memset(r, 0, size * sizeof *r);
            const cst_friction_report report = solve(&made->problem, form, 1e-8, 10000, r, u, v);
            if (report.status != CST_SOLVED)
                fail_msg("%s, %s: E = %g after %d iterations", DUMPS[k].name, cst_form_name(form), report.residual.error,
                         report.iterations);
            if (form == CST_FORM_MIXED)
                assert_in_range(report.newton_iterations, DUMPS[k].steps > 0 ? 1 : 0, DUMPS[k].steps);
            if (form == CST_FORM_MIXED && DUMPS[k].tight) {
                const cst_friction_report tight = solve(&made->problem, form, 1e-12, 10000, r, u, v);
                assert_int_equal(tight.status, CST_SOLVED);
                assert_true(off_tight(DUMPS[k].tight, v, made->body.size / 3) < 1e-9);
            }
        }
        free(r);
        free(u);
        free(v);
        cloth_free(made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_vectors),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_two_nodes_by_hand),
        cmocka_unit_test(test_dumped_cloth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
