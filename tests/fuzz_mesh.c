/* libFuzzer target: any bytes as a mesh; the first chooses whether OBJ, STL or PC2. */
#include "fuzz_limits.h"

#include <math.h>

#include "mesh/mesh_file.h"
#include "mesh/vertex_sequence.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use_mesh(const char *name, const uint8_t *data, size_t size, fuzz_limits *limits)
{
    char message[256];
    cst_mesh_file mesh;
    if (!cst_mesh_file_read_image(name, data, size, &limits->allocator, &mesh, message, sizeof message)) {
        if (message[0] == '\0')
            abort(); /* refused without a word */
        return;
    }
    for (int i = 0; i < 3 * mesh.triangles; i++)
        if (mesh.triangle[i] < 0 || mesh.triangle[i] >= mesh.vertices)
            abort();
    for (int i = 0; i < 3 * mesh.vertices; i++)
        if (!isfinite(mesh.vertex[i]))
            abort();
    cst_mesh_file_free(&mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    /* two bytes make one corner of a face, which makes a triangle and the edges that are sorted; arenas add 64 kB blocks */
    fuzz_limits limits = {.most = ((size_t)1 << 20) + 256 * size, .reading = true};
    limits.allocator = (cst_allocator){fuzz_acquire, fuzz_release, &limits};
    if (data[0] % 3 < 2) {
        use_mesh(data[0] % 3 == 0 ? "fuzz.obj" : "fuzz.stl", data + 1, size - 1, &limits);
    } else {
        char message[256];
        cst_vertex_sequence sequence;
        if (cst_vertex_sequence_read_image("fuzz.pc2", data + 1, size - 1, 0.04, &limits.allocator, &sequence, message,
                                           sizeof message))
            cst_vertex_sequence_free(&sequence);
        else if (message[0] == '\0')
            abort();
    }
    if (limits.held != 0)
        abort();
    return 0;
}
