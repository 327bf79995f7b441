/* libFuzzer target: any bytes as a Siconos text file. */
#include "fuzz_limits.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* HDF5 files have a target of their own, which says why */
    for (size_t k = 0; k + 4 <= size; k++)
        if (memcmp(data + k, "\x89HDF", 4) == 0)
            return 0;
    /* two bytes make one number at least, a number at most 16 bytes of triplet and the arrays that sort them; arenas add 64 kB
       blocks */
    fuzz_read(data, size, ((size_t)1 << 20) + 64 * size);
    return 0;
}
