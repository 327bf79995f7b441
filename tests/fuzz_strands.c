/* libFuzzer target: any bytes as strands; the first chooses the format. */
#include "fuzz_limits.h"

#include <math.h>

#include "groom/strand_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const name[] = {"fuzz.hair", "fuzz.usda", "fuzz.obj", "fuzz.csv"};
    if (size == 0)
        return 0;
    /* two bytes are one point of a line element, which is four numbers in arrays that double; arenas add 64 kB blocks */
    fuzz_limits limits = {.most = ((size_t)1 << 20) + 256 * size, .reading = true};
    limits.allocator = (cst_allocator){fuzz_acquire, fuzz_release, &limits};
    char message[256];
    cst_strand_file file;
    if (cst_strand_file_read_image(name[data[0] % 4], (const char *)data + 1, size - 1, &limits.allocator, &file, message,
                                   sizeof message)) {
        for (int i = 0; i < file.strands; i++)
            if (file.first[i + 1] - file.first[i] < 2)
                abort();
        if (file.first[0] != 0 || file.first[file.strands] != file.points)
            abort();
        for (int i = 0; i < 3 * file.points; i++)
            if (!isfinite(file.point[i]))
                abort();
        cst_strand_file_free(&file);
    } else if (message[0] == '\0') {
        abort(); /* refused without a word */
    }
    if (limits.held != 0)
        abort();
    return 0;
}
