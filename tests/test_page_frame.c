/* Frames of the page, read back by a reader of its own that follows page/page_format.h. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "page/page_format.h"
#include "page/page_frame.h"
#include "page/page_table.h"

enum { VERTICES_MAX = 400, ITEMS_MAX = 8, CONTACTS_MAX = 20, CORNERS_MAX = 300 };

/* What the reader has after a frame. */
typedef struct read_frame {
    int flags, items, traced, shapes, corners, contacts;
    int kind[ITEMS_MAX], bits[ITEMS_MAX], vertices[ITEMS_MAX];
    uint32_t id[ITEMS_MAX];
    int32_t corner[CORNERS_MAX];
    double origin[3], quantum;
    double position[VERTICES_MAX][3];
    float radius[VERTICES_MAX], shape[4][VERTICES_MAX], largest[2];
    int code[2][VERTICES_MAX];
    double contact_position[CONTACTS_MAX][3];
    float contact_real[14][CONTACTS_MAX];
    int contact_case[CONTACTS_MAX];
    uint32_t contact_id[3][CONTACTS_MAX];
} read_frame;

typedef struct reader {
    const uint8_t *at, *end;
    int position_bytes, contact_bytes, channels;
    read_frame now;
} reader;

static uint64_t get(reader *r, int bytes)
{
    assert_true(r->end - r->at >= bytes);
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)*r->at++ << (8 * i);
    return value;
}

static double get_f64(reader *r)
{
    uint64_t bits = get(r, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float as_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void get_planes(reader *r, int count, int planes, uint32_t *out)
{
    assert_true(r->end - r->at >= count * planes);
    memset(out, 0, (size_t)count * sizeof *out);
    for (int plane = 0; plane < planes; plane++)
        for (int i = 0; i < count; i++)
            out[i] |= (uint32_t)*r->at++ << (8 * plane);
}

static int32_t as_signed(uint32_t value, int planes)
{
    int shift = 32 - 8 * planes;
    return (int32_t)(value << shift) >> shift;
}

static void get_floats(reader *r, int count, int planes, float *out)
{
    uint32_t bits[VERTICES_MAX];
    get_planes(r, count, planes, bits);
    for (int i = 0; i < count; i++)
        out[i] = as_float(bits[i] << (32 - 8 * planes));
}

static void get_items(reader *r)
{
    read_frame *f = &r->now;
    f->items = (int)get(r, 4);
    assert_true(f->items <= ITEMS_MAX);
    int triangles[ITEMS_MAX];
    for (int i = 0; i < f->items; i++)
        f->kind[i] = (int)get(r, 1);
    for (int i = 0; i < f->items; i++)
        f->bits[i] = (int)get(r, 1);
    for (int i = 0; i < f->items; i++)
        f->id[i] = (uint32_t)get(r, 4);
    for (int i = 0; i < f->items; i++)
        f->vertices[i] = (int)get(r, 4);
    for (int i = 0; i < f->items; i++)
        triangles[i] = (int)get(r, 4);
    f->traced = f->shapes = f->corners = 0;
    for (int i = 0; i < f->items; i++) {
        *(cst_page_traced(f->kind[i]) ? &f->traced : &f->shapes) += f->vertices[i];
        f->corners += 3 * triangles[i];
    }
    uint32_t step[CORNERS_MAX];
    get_planes(r, f->corners, 4, step);
    int32_t before = 0;
    for (int k = 0; k < f->corners; k++)
        f->corner[k] = before += (int32_t)(step[k] >> 1) ^ -(int32_t)(step[k] & 1);
}

static bool starts_item(const read_frame *f, int vertex)
{
    for (int i = 0, first = 0; i < f->items; i++) {
        if (!cst_page_traced(f->kind[i]))
            continue;
        if (vertex == first)
            return true;
        first += f->vertices[i];
    }
    return false;
}

static void get_positions(reader *r)
{
    read_frame *f = &r->now;
    uint32_t code[VERTICES_MAX];
    double before[VERTICES_MAX][3];
    memcpy(before, f->position, sizeof before);
    for (int axis = 0; axis < 3; axis++) {
        get_planes(r, f->traced, r->position_bytes, code);
        for (int i = 0; i < f->traced; i++) {
            double guess;
            if (f->flags & CST_PAGE_MOVED)
                guess = before[i][axis] + (starts_item(f, i) ? 0.0 : f->position[i - 1][axis] - before[i - 1][axis]);
            else
                guess = i > 0 ? f->position[i - 1][axis] : f->origin[axis];
            f->position[i][axis] = guess + f->quantum * as_signed(code[i], r->position_bytes);
        }
    }
}

static void get_channels(reader *r)
{
    read_frame *f = &r->now;
    for (int c = 0; c < r->channels; c++) {
        float largest = as_float((uint32_t)get(r, 4));
        bool go_on = !(f->flags & CST_PAGE_HAS_ITEMS) && largest == f->largest[c];
        f->largest[c] = largest;
        for (int i = 0; i < f->traced; i++) {
            int guess = go_on ? f->code[c][i] : i > 0 ? f->code[c][i - 1] : 0;
            f->code[c][i] = ((guess + (int)get(r, 1) + 128) & 255) - 128;
        }
    }
}

static void get_contacts(reader *r)
{
    read_frame *f = &r->now;
    uint32_t code[CONTACTS_MAX];
    int n = f->contacts = (int)get(r, 4);
    assert_true(n <= CONTACTS_MAX);
    for (int axis = 0; axis < 3; axis++) {
        get_planes(r, n, r->position_bytes, code);
        for (int i = 0; i < n; i++)
            f->contact_position[i][axis] = f->origin[axis] + f->quantum * as_signed(code[i], r->position_bytes);
    }
    for (int k = 0; k < 14; k++)
        get_floats(r, n, r->contact_bytes, f->contact_real[k]);
    for (int i = 0; i < n; i++)
        f->contact_case[i] = (int)get(r, 1);
    for (int k = 0; k < 3; k++)
        get_planes(r, n, 4, f->contact_id[k]);
}

static const read_frame *next_frame(reader *r)
{
    read_frame *f = &r->now;
    f->flags = (int)get(r, 1);
    for (int axis = 0; axis < 3; axis++)
        f->origin[axis] = get_f64(r);
    f->quantum = get_f64(r);
    if (f->flags & CST_PAGE_HAS_ITEMS)
        get_items(r);
    get_positions(r);
    if (f->flags & CST_PAGE_HAS_RADII)
        get_floats(r, f->traced, 4, f->radius);
    get_channels(r);
    for (int k = 0; (f->flags & CST_PAGE_HAS_SHAPES) && k < 4; k++)
        get_floats(r, f->shapes, 4, f->shape[k]);
    get_contacts(r);
    return f;
}

/* --------------------------------------------------------------------------------------------------------------- material */

typedef struct made {
    cst_page_item item[ITEMS_MAX];
    double position[3 * VERTICES_MAX], radius[VERTICES_MAX], bend[VERTICES_MAX], speed[VERTICES_MAX];
    const double *channel[2];
    cst_contact_view contact[CONTACTS_MAX];
    cst_page_frame frame;
} made;

/* Two curves, a disk between them in the order of items, and a half-plane. */
static void make(made *m, double time, cst_rng *rng)
{
    memset(m, 0, sizeof *m);
    m->item[0] = (cst_page_item){.id = 1, .kind = CST_DRAWN_CURVE, .vertices = 60};
    m->item[1] = (cst_page_item){.id = 2, .kind = CST_DRAWN_DISK, .vertices = 2};
    m->item[2] = (cst_page_item){.id = 3, .kind = CST_DRAWN_CURVE, .vertices = 40, .closed = true};
    m->item[3] = (cst_page_item){.id = 1, .kind = CST_DRAWN_HALF_PLANE, .vertices = 2, .obstacle = true};
    for (int i = 0; i < 104; i++) {
        double s = 0.02 * i;
        m->position[3 * i] = s + 0.3 * sin(3.0 * time + s);
        m->position[3 * i + 1] = 0.5 * cos(7.0 * s + time) - 4.9 * time * time;
        m->position[3 * i + 2] = 1e-3 * cst_rng_normal(rng);
        m->radius[i] = 0.001 + 1e-5 * (i % 3);
        m->bend[i] = 30.0 * sin(9.0 * s + time);
        m->speed[i] = fabs(m->position[3 * i + 1]) * time;
    }
    m->channel[0] = m->bend;
    m->channel[1] = m->speed;
    for (int i = 0; i < 7; i++) {
        cst_contact_view *c = &m->contact[i];
        *c = (cst_contact_view){
            .a.body = 1, .b.body = i % 2 ? 3 : 0, .b.obstacle = i % 2 ? 0 : 1, .mu = 0.1 * i, .gap = -1e-6 * i};
        memcpy(c->position, m->position + 9 * i, 3 * sizeof(double));
        for (int axis = 0; axis < 3; axis++) {
            c->normal[axis] = axis == 1;
            c->force[axis] = cst_rng_normal(rng);
            c->u[axis] = 1e-9 * cst_rng_normal(rng);
        }
        c->s_a = 0.1 * i;
        c->error = 1e-11 * i;
        c->contact_case = (cst_local_case)(i % 4);
    }
    m->frame = (cst_page_frame){.items = 4,
                                .item = m->item,
                                .position = m->position,
                                .radius = m->radius,
                                .channels = 2,
                                .channel = m->channel,
                                .contacts = 7,
                                .contact = m->contact};
}

static void check_positions(const read_frame *got, const made *m)
{
    int at = 0, traced = 0, shape = 0;
    for (int i = 0; i < m->frame.items; i++)
        for (int k = 0; k < m->item[i].vertices; k++, at++) {
            if (!cst_page_traced(m->item[i].kind)) {
                for (int axis = 0; axis < 3; axis++)
                    assert_true(got->shape[axis][shape] == (float)m->position[3 * at + axis]);
                assert_true(got->shape[3][shape++] == (float)m->radius[at]);
                continue;
            }
            for (int axis = 0; axis < 3; axis++)
                assert_true(fabs(got->position[traced][axis] - m->position[3 * at + axis]) <= 0.5000001 * got->quantum);
            assert_true(got->radius[traced] == (float)m->radius[at]);
            double levels[2] = {m->bend[at], m->speed[at]};
            for (int c = 0; c < m->frame.channels; c++) {
                double code = got->code[c][traced], value = (double)got->largest[c] * code * fabs(code) / (127.0 * 127.0);
                /* half a code off: |v| = L q^2, dv = 2 L q dq + L dq^2 */
                double dq = 0.5 / 127.0, q = sqrt(fabs(levels[c]) / fmax((double)got->largest[c], 1e-300));
                assert_true(fabs(value - levels[c]) <= (double)got->largest[c] * (2.0 * q * dq + dq * dq) * 1.0001);
            }
            traced++;
        }
    assert_int_equal(traced, got->traced);
    assert_int_equal(shape, got->shapes);
}

static void check_contacts(const read_frame *got, const made *m, double precision)
{
    assert_int_equal(got->contacts, m->frame.contacts);
    for (int i = 0; i < got->contacts; i++) {
        const cst_contact_view *c = &m->contact[i];
        const double real[14] = {c->normal[0], c->normal[1], c->normal[2], c->force[0], c->force[1], c->force[2], c->u[0],
                                 c->u[1],      c->u[2],      c->mu,        c->error,    c->gap,      c->s_a,      c->s_b};
        for (int axis = 0; axis < 3; axis++)
            assert_true(fabs(got->contact_position[i][axis] - c->position[axis]) <= 0.5000001 * got->quantum);
        for (int k = 0; k < 14; k++)
            assert_true(fabs((double)got->contact_real[k][i] - real[k]) <= precision * fabs(real[k]));
        assert_int_equal(got->contact_case[i], c->contact_case);
        assert_int_equal(got->contact_id[0][i], c->a.body);
        assert_int_equal(got->contact_id[1][i], c->b.body);
        assert_int_equal(got->contact_id[2][i], c->b.obstacle);
    }
}

static void encode(cst_page_encoder *encoder, const made *m, cst_page_bytes *to)
{
    char message[128] = "";
    if (!cst_page_encode(encoder, &m->frame, to, message, sizeof message))
        fail_msg("%s", message);
}

static void frames_come_back(int position_bytes, int contact_bytes, double quanta, double contact_precision)
{
    cst_page_encoder *encoder = cst_page_encoder_new((cst_page_precision){position_bytes, contact_bytes});
    cst_page_bytes bytes = {0};
    cst_rng rng;
    static made m[40];
    cst_rng_seed(&rng, 5, 0);
    for (int n = 0; n < 40; n++) {
        make(&m[n], 0.02 * n, &rng);
        encode(encoder, &m[n], &bytes);
    }
    static reader r;
    r = (reader){bytes.data, bytes.data + bytes.count, position_bytes, contact_bytes, 2, {0}};
    int moved = 0;
    for (int n = 0; n < 40; n++) {
        const read_frame *got = next_frame(&r);
        check_positions(got, &m[n]);
        check_contacts(got, &m[n], contact_precision);
        assert_true(got->quantum <= 5.0 / quanta);
        moved += (got->flags & CST_PAGE_MOVED) != 0;
        assert_int_equal((got->flags & CST_PAGE_HAS_ITEMS) != 0, n == 0);
        assert_int_equal((got->flags & CST_PAGE_HAS_RADII) != 0, n == 0); /* they do not change */
    }
    assert_true(r.at == r.end);
    assert_int_equal(moved, 39);
    cst_page_encoder_free(encoder);
    cst_page_bytes_free(&bytes);
}

static void test_two_bytes(void **state)
{
    (void)state;
    frames_come_back(2, 2, 32000.0, 1.0 / 128.0);
}

static void test_three_bytes(void **state)
{
    (void)state;
    frames_come_back(3, 4, 8e6, 1e-7);
}

/* A jump too far for a difference, another topology, and a new block: each must stand on its own. */
static void test_starts_anew(void **state)
{
    (void)state;
    cst_page_encoder *encoder = cst_page_encoder_new((cst_page_precision){2, 4});
    cst_page_bytes bytes = {0};
    cst_rng rng;
    static made m[4];
    cst_rng_seed(&rng, 6, 0);
    for (int n = 0; n < 4; n++)
        make(&m[n], 0.01 * n, &rng);
    for (int i = 0; i < 104; i++)
        m[1].position[3 * i] += 1e6;
    for (int i = 0; i < 7; i++)
        m[1].contact[i].position[0] += 1e6;
    m[2].item[0].vertices = 59;
    m[2].item[2].vertices = 41;
    encode(encoder, &m[0], &bytes);
    encode(encoder, &m[1], &bytes);
    encode(encoder, &m[2], &bytes);
    size_t block = bytes.count;
    cst_page_encoder_restart(encoder);
    encode(encoder, &m[3], &bytes);
    static reader r;
    r = (reader){bytes.data, bytes.data + bytes.count, 2, 4, 2, {0}};
    const read_frame *got;
    for (int n = 0; n < 3; n++) {
        got = next_frame(&r);
        assert_int_equal(got->flags & CST_PAGE_MOVED, 0);
        check_positions(got, &m[n]);
    }
    assert_int_equal(r.at - bytes.data, block);
    static reader fresh; /* knows nothing of what was before */
    fresh = (reader){bytes.data + block, bytes.data + bytes.count, 2, 4, 2, {0}};
    got = next_frame(&fresh);
    assert_int_equal(got->flags, CST_PAGE_HAS_ITEMS | CST_PAGE_HAS_RADII | CST_PAGE_HAS_SHAPES);
    check_positions(got, &m[3]);
    check_contacts(got, &m[3], 1e-7);
    cst_page_encoder_free(encoder);
    cst_page_bytes_free(&bytes);
}

static void test_meshes(void **state)
{
    (void)state;
    cst_page_encoder *encoder = cst_page_encoder_new((cst_page_precision){2, 4});
    cst_page_bytes bytes = {0};
    cst_rng rng;
    static made m;
    cst_rng_seed(&rng, 7, 0);
    make(&m, 0.0, &rng);
    int32_t first[] = {0, 1, 2, 2, 1, 3, 3, 39, 0}, second[] = {0, 1, 2, 2, 1, 3, 3, 38, 0};
    m.item[2] = (cst_page_item){.id = 3, .kind = CST_PAGE_MESH, .vertices = 40, .triangles = 3, .triangle = first};
    encode(encoder, &m, &bytes);
    encode(encoder, &m, &bytes); /* the same again */
    m.item[2].triangle = second;
    encode(encoder, &m, &bytes); /* other triangles of the same vertices */
    static reader r;
    r = (reader){bytes.data, bytes.data + bytes.count, 2, 4, 2, {0}};
    for (int n = 0; n < 3; n++) {
        const read_frame *got = next_frame(&r);
        assert_int_equal((got->flags & CST_PAGE_HAS_ITEMS) != 0, n != 1);
        assert_int_equal(got->corners, 9);
        for (int k = 0; k < 9; k++)
            assert_int_equal(got->corner[k], 60 + (n < 2 ? first : second)[k]); /* behind those of the curve */
        check_positions(got, &m);
    }
    cst_page_encoder_free(encoder);
    cst_page_bytes_free(&bytes);
}

static void test_lone_points_and_nothing(void **state)
{
    (void)state;
    cst_page_encoder *encoder = cst_page_encoder_new((cst_page_precision){3, 4});
    cst_page_bytes bytes = {0};
    static made m;
    memset(&m, 0, sizeof m);
    m.item[0] = (cst_page_item){.id = 1, .kind = CST_DRAWN_CURVE, .vertices = 1};
    m.frame = (cst_page_frame){.items = 1, .item = m.item, .position = m.position, .radius = m.radius};
    static reader r;
    for (int n = 0; n < 3; n++) {
        m.position[0] = 1234.5 + 1e-4 * n;
        m.position[1] = -1e-7 * n;
        size_t before = bytes.count;
        encode(encoder, &m, &bytes);
        r = (reader){bytes.data + before, bytes.data + bytes.count, 3, 4, 0, r.now};
        const read_frame *got = next_frame(&r);
        assert_true(fabs(got->position[0][0] - m.position[0]) <= 0.5000001 * got->quantum);
        assert_true(got->quantum < 1e-9);
    }
    m.frame.items = 0;
    bytes.count = 0;
    cst_page_encoder_restart(encoder);
    encode(encoder, &m, &bytes);
    r = (reader){bytes.data, bytes.data + bytes.count, 3, 4, 0, {0}};
    assert_int_equal(next_frame(&r)->items, 0);
    assert_true(r.at == r.end);
    cst_page_encoder_free(encoder);
    cst_page_bytes_free(&bytes);
}

static void test_not_finite(void **state)
{
    (void)state;
    cst_page_encoder *encoder = cst_page_encoder_new((cst_page_precision){2, 2});
    cst_page_bytes bytes = {0};
    cst_rng rng;
    static made m;
    double *const place[] = {&m.position[100], &m.radius[5], &m.bend[7], &m.contact[2].position[1]};
    for (int k = 0; k < 4; k++) {
        char message[128] = "";
        cst_rng_seed(&rng, 8, 0);
        make(&m, 0.0, &rng);
        *place[k] = k % 2 ? NAN : INFINITY;
        assert_false(cst_page_encode(encoder, &m.frame, &bytes, message, sizeof message));
        assert_string_equal(message, "a number is not finite");
    }
    cst_page_encoder_free(encoder);
    cst_page_bytes_free(&bytes);
}

/* ----------------------------------------------------------------------------------------------------------------- tables */

static void test_thinning_keeps_peaks(void **state)
{
    (void)state;
    enum { ROWS = 50000 };
    double *time = malloc(ROWS * sizeof *time), *value = malloc(ROWS * sizeof *value);
    for (int i = 0; i < ROWS; i++) {
        time[i] = 1e-3 * (i + 1);
        value[i] = sin(1e-3 * i);
    }
    value[31111] = 1e6; /* one step out of all */
    value[42222] = -5.0;
    cst_page_column column[] = {{"time", "s", time}, {"value", "", value}};
    cst_page_table table = {.name = "steps", .columns = 2, .column = column, .rows = ROWS, .thinned = 1};
    cst_page_table_thin(&table, 2.0, 45.0);
    assert_true(table.rows <= CST_PAGE_ROWS_MAX + 2 && table.rows > CST_PAGE_ROWS_MAX / 2);
    assert_true(table.thinned > 1);
    double most = 0.0, least = 0.0;
    for (int64_t k = 0; k < table.rows; k++) {
        most = fmax(most, value[k]);
        least = fmin(least, value[k]);
        assert_true(time[k] >= 2.0 - 1e-12 && time[k] <= 45.0 + 1e-12);
        assert_true(k == 0 || time[k] > time[k - 1]);
    }
    assert_true(most == 1e6 && least == -5.0);
    free(time);
    free(value);
}

static void test_few_rows_stay(void **state)
{
    (void)state;
    double time[] = {0.0, 1.0, 2.0, 3.0}, value[] = {4.0, 5.0, 6.0, 7.0};
    cst_page_column column[] = {{"time", "s", time}, {"value", "", value}};
    cst_page_table table = {.name = "steps", .columns = 2, .column = column, .rows = 4, .thinned = 1};
    cst_page_table_thin(&table, 0.5, 2.5);
    assert_int_equal(table.rows, 2);
    assert_int_equal(table.thinned, 1);
    assert_true(time[0] == 1.0 && time[1] == 2.0 && value[0] == 5.0 && value[1] == 6.0);
    cst_page_table_thin(&table, 8.0, 9.0);
    assert_int_equal(table.rows, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_bytes),
        cmocka_unit_test(test_three_bytes),
        cmocka_unit_test(test_starts_anew),
        cmocka_unit_test(test_meshes),
        cmocka_unit_test(test_lone_points_and_nothing),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_thinning_keeps_peaks),
        cmocka_unit_test(test_few_rows_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
