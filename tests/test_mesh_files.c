/* OBJ, STL and PC2 files: what is read, and what is said about damage. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"
#include "mesh/mesh_file.h"
#include "mesh/vertex_sequence.h"

static char message[256];

static cst_mesh_file read_image(const char *name, const void *image, size_t bytes)
{
    cst_mesh_file mesh;
    if (!cst_mesh_file_read_image(name, image, bytes, NULL, &mesh, message, sizeof message))
        fail_msg("%s", message);
    return mesh;
}

static cst_mesh_file read_obj(const char *text)
{
    return read_image("a.obj", text, strlen(text));
}

static void refuses(const char *name, const char *text, size_t bytes, const char *part)
{
    cst_mesh_file mesh;
    if (cst_mesh_file_read_image(name, text, bytes, NULL, &mesh, message, sizeof message))
        fail_msg("read; expected a message with \"%s\"", part);
    if (!strstr(message, part))
        fail_msg("\"%s\" does not say \"%s\"", message, part);
}

static void has_triangle(const cst_mesh_file *mesh, int index, int a, int b, int c)
{
    assert_int_equal(mesh->triangle[3 * index], a);
    assert_int_equal(mesh->triangle[3 * index + 1], b);
    assert_int_equal(mesh->triangle[3 * index + 2], c);
}

/* -------------------------------------------------------------------------------------------------------------------- OBJ */

static const char CUBE[] = "# a cube\r\nmtllib C:\\some\\cube.mtl\r\no Cube\r\nv 0 0 0\r\nv 1 0 0 0.5 0.5 0.5\r\nv 1 1 0 1.0\r\n"
                           "v 0 1 0 # one more\r\nv 0 0 1\r\nv 1 0 1\r\nv 1 1 1\r\nv 0 1 1\r\nvn 0 0 1\r\nvt 0.5 0.5\r\ns off\r\n"
                           "f 4/1/1 3/1/1 2/1/1 1/1/1\r\nf 5//1 6//1 7//1 8//1\r\nf 1/1 2/1 6/1 5/1\r\n  f\t2 3 7 6\r\n"
                           "f 3 4 8 7\r\nf -8 -4 -1 -5\r\n";

static void reads_polygons(void **state)
{
    (void)state;
    cst_mesh_file mesh = read_obj(CUBE);
    assert_int_equal(mesh.vertices, 8);
    assert_int_equal(mesh.triangles, 12);
    assert_int_equal(mesh.dropped, 0);
    assert_true(mesh.closed);
    has_triangle(&mesh, 0, 3, 2, 1);
    has_triangle(&mesh, 1, 3, 1, 0);
    has_triangle(&mesh, 2, 4, 5, 6);
    has_triangle(&mesh, 10, 0, 4, 7);
    has_triangle(&mesh, 11, 0, 7, 3);
    assert_true(mesh.vertex[3] == 1.0 && mesh.vertex[4] == 0.0 && mesh.vertex[5] == 0.0);
    cst_mesh_file_free(&mesh);
}

static void knows_what_is_closed(void **state)
{
    (void)state;
    cst_mesh_file open = read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
    assert_false(open.closed);
    cst_mesh_file_free(&open);
    cst_mesh_file closed = read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4");
    assert_true(closed.closed);
    cst_mesh_file_free(&closed);
    /* one face the wrong way round */
    cst_mesh_file turned = read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 4 3");
    assert_false(turned.closed);
    cst_mesh_file_free(&turned);
}

static void later_vertices_may_be_named(void **state)
{
    (void)state;
    cst_mesh_file mesh = read_obj("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nf 1 1 2\n");
    assert_int_equal(mesh.vertices, 4); /* unused ones stay: sequences count on it */
    assert_int_equal(mesh.triangles, 1);
    assert_int_equal(mesh.dropped, 1);
    cst_mesh_file_free(&mesh);
}

static void refuses_damaged_obj(void **state)
{
    (void)state;
    const struct {
        const char *text, *part;
    } bad[] = {{"", "no triangle"},
               {"v 0 0 0\n", "no triangle"},
               {"v 0 0 0\nf 1 1 1\n", "a corner twice"},
               {"v 0 0\n", "line 1, token 0: vertex: it needs three coordinates, not 2"},
               {"\n\nv 0 0 x\n", "line 3, token 4: vertex: \"x\" is not a number"},
               {"v 0 nan 0\n", "not a finite number"},
               {"v 0 0 1e999\n", "not a finite number"},
               {"v 0 0 0\nf 1 2\n", "line 2, token 0: face: it needs at least three corners, not 2"},
               {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "line 4, token 4: face: there is no vertex 4 in the file"},
               {"v 0 0 0\nf 0 1 1\n", "there is no vertex 0"},
               {"v 0 0 0\nf -1 -2 -1\n", "there is no vertex -2 from here back"},
               {"v 0 0 0\nf 1 99999999999999999999999 1\n", "there is no vertex"},
               {"v 0 0 0\nf 1 1a 1\n", "corner 2 is not a vertex number"},
               {"v 0 0 0\nf 1 1/x 1\n", "corner 2 is not a vertex number"},
               {"v 0 0 0\nf 1 /1 1\n", "corner 2 is not a vertex number"},
               {"v 0 0 0\nf 1 1 \\\n 1\n", "line 2, token 0: OBJ: lines that are continued"},
               {"v 0 0 0\nvv 1 2 3\n", "line 2, token 1: OBJ: \"vv\" where \"v or f\" should be"},
               {"solid x\n", "\"solid\""}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuses("dir/bad.obj", bad[i].text, strlen(bad[i].text), bad[i].part);
    refuses("dir/bad.ply", CUBE, strlen(CUBE), "neither an .obj nor an .stl");
    assert_true(strncmp(message, "dir/bad.ply: ", 13) == 0);
}

/* -------------------------------------------------------------------------------------------------------------------- STL */

static const char TETRAHEDRON[] =
    "solid a name of many words\n"
    " facet normal nan nan nan\n  outer loop\n   vertex 0 0 0\n   vertex 0 1 0\n   vertex 1 0 0\n"
    "  endloop\n endfacet\n"
    " facet normal 0 -1 0 outer loop vertex -0 0 0 vertex 1 0 0 vertex 0 0 1.5e-1 endloop endfacet\n"
    " FACET NORMAL -1 0 0 OUTER LOOP VERTEX 0 0 0 VERTEX 0 0 0.15 VERTEX 0 1 0 ENDLOOP ENDFACET\n"
    "endsolid a name of many words\n"
    "solid\n facet normal 1 1 1 outer loop vertex 1 0 0 vertex 0 1 0 vertex 0 0 .15 endloop endfacet\n"
    " facet normal 1 1 1 outer loop vertex 1 0 0 vertex 1 0 0 vertex 0 0 .15 endloop endfacet\n"
    "endsolid";

static void is_the_tetrahedron(const cst_mesh_file *mesh, double height)
{
    assert_int_equal(mesh->vertices, 4);
    assert_int_equal(mesh->triangles, 4);
    assert_int_equal(mesh->dropped, 1);
    assert_true(mesh->closed);
    has_triangle(mesh, 0, 0, 1, 2);
    has_triangle(mesh, 1, 0, 2, 3);
    has_triangle(mesh, 2, 0, 3, 1);
    has_triangle(mesh, 3, 2, 1, 3);
    assert_true(mesh->vertex[11] == height);
    assert_false(signbit(mesh->vertex[0]));
}

static void put_little(unsigned char *to, uint32_t bits)
{
    for (int k = 0; k < 4; k++)
        to[k] = (unsigned char)(bits >> 8 * k);
}

static void put_float(unsigned char *to, double value)
{
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    put_little(to, bits);
}

enum { BINARY = 84 + 5 * 50 };

static void make_binary(unsigned char *image, const cst_mesh_file *mesh)
{
    memset(image, 0, BINARY);
    memcpy(image, "solid but binary", 16);
    put_little(image + 80, 5);
    for (int i = 0; i < 15; i++) {
        const int32_t last[3] = {2, 2, 3}, vertex = i < 12 ? mesh->triangle[i] : last[i - 12];
        for (int k = 0; k < 3; k++)
            put_float(image + 84 + 50 * (i / 3) + 12 * (i % 3 + 1) + 4 * k, mesh->vertex[3 * vertex + k]);
    }
}

static void reads_stl(void **state)
{
    (void)state;
    cst_mesh_file text = read_image("a.STL", TETRAHEDRON, strlen(TETRAHEDRON));
    is_the_tetrahedron(&text, 0.15);
    unsigned char image[BINARY];
    make_binary(image, &text);
    cst_mesh_file binary = read_image("a.stl", image, sizeof image);
    is_the_tetrahedron(&binary, (double)0.15f);
    cst_mesh_file_free(&binary);

    put_little(image + 84 + 50 + 12, 0x7fc00000u); /* a NaN */
    refuses("a.stl", (const char *)image, sizeof image, "corner 1 of triangle 2 is not finite");
    make_binary(image, &text);
    memset(image, 'x', 6);
    refuses("a.stl", (const char *)image, sizeof image - 1, "nor has the length of the 5 triangles");
    put_little(image + 80, 0xffffffffu);
    refuses("a.stl", (const char *)image, sizeof image, "the length of the 4294967295 triangles");
    cst_mesh_file_free(&text);
}

static void refuses_damaged_stl(void **state)
{
    (void)state;
    const struct {
        const char *text, *part;
    } bad[] = {
        {"", "is no STL file"},
        {"solid\nendsolid\n", "no triangle"},
        {"solid x\n", "the file ends where \"facet\" should be"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop", "line 6, token 17: STL: \"endloop\""},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 zero\n", "line 4, token 12: STL: \"zero\" is not a number"},
        {"solid\nfacet normal 0 0", "the file ends where the normal should be"},
        {"solid\nendsolid\nrubbish\n", "line 3, token 3: STL: \"rubbish\" where \"solid\" should be"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuses("bad.stl", bad[i].text, strlen(bad[i].text), bad[i].part);
}

/* Every cut of a good file is refused or read, never a crash; a cut inside the first triangle is always refused. */
static void cuts_are_survived(void **state)
{
    (void)state;
    for (size_t bytes = 0; bytes < sizeof TETRAHEDRON; bytes++) {
        cst_mesh_file mesh;
        char *image = malloc(bytes > 0 ? bytes : 1); /* of its own, so that reading beyond it is seen */
        memcpy(image, TETRAHEDRON, bytes);
        const bool ok = cst_mesh_file_read_image("a.stl", image, bytes, NULL, &mesh, message, sizeof message);
        assert_false(ok && bytes < 130);
        if (ok)
            cst_mesh_file_free(&mesh);
        else
            assert_true(message[0] != '\0');
        free(image);
    }
    cst_rng rng;
    cst_rng_seed(&rng, 7, 0);
    for (int i = 0; i < 3000; i++) {
        char image[sizeof CUBE];
        cst_mesh_file mesh;
        memcpy(image, CUBE, sizeof image);
        for (int k = 0; k < 3; k++) {
            const int at = cst_rng_integer(&rng, (int)sizeof image);
            image[at] = (char)cst_rng_integer(&rng, 256);
        }
        if (cst_mesh_file_read_image("a.obj", image, sizeof image - 1, NULL, &mesh, message, sizeof message)) {
            for (int k = 0; k < 3 * mesh.triangles; k++)
                assert_in_range(mesh.triangle[k], 0, mesh.vertices - 1);
            cst_mesh_file_free(&mesh);
        }
    }
}

/* -------------------------------------------------------------------------------------------------------------- sequences */

enum { PC2 = 32 + 3 * 2 * 12 };

static void make_pc2(unsigned char *image)
{
    memcpy(image, "POINTCACHE2", 12);
    put_little(image + 12, 1);
    put_little(image + 16, 2);
    put_float(image + 20, 10.0);
    put_float(image + 24, 0.5);
    put_little(image + 28, 3);
    for (int i = 0; i < 18; i++)
        put_float(image + 32 + 4 * i, 0.25 * i);
}

static void refuses_pc2(const unsigned char *image, size_t bytes, double frame_seconds, const char *part)
{
    cst_vertex_sequence sequence;
    if (cst_vertex_sequence_read_image("a.pc2", image, bytes, frame_seconds, NULL, &sequence, message, sizeof message))
        fail_msg("read; expected a message with \"%s\"", part);
    if (!strstr(message, part))
        fail_msg("\"%s\" does not say \"%s\"", message, part);
}

static void reads_point_caches(void **state)
{
    (void)state;
    unsigned char image[PC2];
    cst_vertex_sequence sequence;
    make_pc2(image);
    if (!cst_vertex_sequence_read_image("a.pc2", image, sizeof image, 0.04, NULL, &sequence, message, sizeof message))
        fail_msg("%s", message);
    assert_int_equal(sequence.vertices, 2);
    assert_int_equal(sequence.times, 3);
    assert_int_equal(sequence.triangles, 0);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(sequence.time[i] - 0.04 * (10.0 + 0.5 * i)) < 1e-15);
    for (int i = 0; i < 18; i++)
        assert_true(sequence.vertex[i] == 0.25 * i);
    cst_vertex_sequence_free(&sequence);

    refuses_pc2(image, 31, 0.04, "does not begin");
    refuses_pc2(image, sizeof image - 1, 0.04, "bytes of points");
    refuses_pc2(image, sizeof image, 0.0, "a frame must last");
    image[12] = 2;
    refuses_pc2(image, sizeof image, 0.04, "version 2");
    make_pc2(image);
    put_little(image + 16, 0x80000001u); /* times 3 samples: too much, or 3 if it overflowed */
    refuses_pc2(image, sizeof image, 0.04, "names 2147483649 points");
    make_pc2(image);
    put_float(image + 24, -1.0);
    refuses_pc2(image, sizeof image, 0.04, "goes on by -1 frames");
    make_pc2(image);
    put_little(image + 32 + 4 * 7, 0x7f800000u); /* infinity */
    refuses_pc2(image, sizeof image, 0.04, "point 1 of sample 2");
}

static void put_file(const char *path, const void *bytes, size_t count)
{
    FILE *to = fopen(path, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(bytes, 1, count, to), count);
    assert_int_equal(fclose(to), 0);
}

static void reads_files(void **state)
{
    (void)state;
    char directory[] = "/tmp/capstan_mesh_XXXXXX", path[3][64];
    assert_non_null(mkdtemp(directory));
    const char *const name[3] = {"one.obj", "two.obj", "moves.pc2"};
    for (int i = 0; i < 3; i++)
        snprintf(path[i], sizeof path[i], "%s/%s", directory, name[i]);
    static const char one[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", two[] = "v 0 0 1\nv 2 0 1\nv 0 2 1\nf 1 2 3\n";
    static const char other[] = "v 0 0 1\nv 2 0 1\nv 0 2 1\nf 1 3 2\n";
    unsigned char image[PC2];
    make_pc2(image);
    put_file(path[0], one, strlen(one));
    put_file(path[1], two, strlen(two));
    put_file(path[2], image, sizeof image);

    cst_mesh_file mesh;
    assert_true(cst_mesh_file_read(path[0], NULL, &mesh, message, sizeof message));
    assert_int_equal(mesh.triangles, 1);
    cst_mesh_file_free(&mesh);
    assert_false(cst_mesh_file_read(directory, NULL, &mesh, message, sizeof message));
    assert_non_null(strstr(message, "not a regular file"));

    cst_vertex_sequence sequence;
    const char *const list[2] = {path[0], path[1]}, *const cache = path[2], *const mixed[2] = {path[0], path[2]};
    assert_true(cst_vertex_sequence_read(list, 2, 0.5, NULL, &sequence, message, sizeof message));
    assert_int_equal(sequence.times, 2);
    assert_int_equal(sequence.triangles, 1);
    assert_true(sequence.time[1] == 0.5 && sequence.vertex[9 + 2] == 1.0 && sequence.vertex[9 + 3] == 2.0);
    assert_false(sequence.closed);
    cst_vertex_sequence_free(&sequence);
    assert_true(cst_vertex_sequence_read(&cache, 1, 0.5, NULL, &sequence, message, sizeof message));
    assert_int_equal(sequence.times, 3);
    cst_vertex_sequence_free(&sequence);
    assert_false(cst_vertex_sequence_read(mixed, 2, 0.5, NULL, &sequence, message, sizeof message));
    assert_non_null(strstr(message, "one .pc2 file or a list of .obj files"));
    put_file(path[1], other, strlen(other));
    assert_false(cst_vertex_sequence_read(list, 2, 0.5, NULL, &sequence, message, sizeof message));
    assert_non_null(strstr(message, "has not the triangles of"));
    unlink(path[1]);
    assert_false(cst_vertex_sequence_read(list, 2, 0.5, NULL, &sequence, message, sizeof message));
    assert_non_null(strstr(message, "cannot be opened"));
    assert_false(cst_vertex_sequence_read(list, 0, 0.5, NULL, &sequence, message, sizeof message));
    unlink(path[0]);
    unlink(path[2]);
    rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_polygons),
        cmocka_unit_test(knows_what_is_closed),
        cmocka_unit_test(later_vertices_may_be_named),
        cmocka_unit_test(refuses_damaged_obj),
        cmocka_unit_test(reads_stl),
        cmocka_unit_test(refuses_damaged_stl),
        cmocka_unit_test(cuts_are_survived),
        cmocka_unit_test(reads_point_caches),
        cmocka_unit_test(reads_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
