/* libFuzzer target: checkpoints with anything in them. The checksum would stop every change, so it is put right: what is tested is
 * what lies behind it, lengths that do not fit and allocations out of proportion. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "run/checkpoint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(size + 1);
    if (!bytes)
        return 0;
    if (size > 0)
        memcpy(bytes, data, size);
    if (size > sizeof(uint64_t)) {
        uint64_t sum = cst_checksum(0, bytes, size - sizeof sum);
        memcpy(bytes + size - sizeof sum, &sum, sizeof sum);
    }
    cst_checkpoint checkpoint;
    char message[128] = "";
    if (cst_checkpoint_decode(bytes, size, &checkpoint, message, sizeof message)) {
        /* what it holds is what the file holds, at the end of it */
        size_t probe_bytes = (size_t)checkpoint.probes * sizeof(cst_probe_mark), end = size - sizeof(uint64_t);
        if (checkpoint.world_bytes > end || probe_bytes > end - checkpoint.world_bytes)
            abort();
        const uint8_t *world = bytes + end - checkpoint.world_bytes;
        if (memcmp(checkpoint.world, world, checkpoint.world_bytes) != 0 ||
            memcmp(checkpoint.probe_mark, world - probe_bytes, probe_bytes) != 0)
            abort();
        cst_checkpoint_free(&checkpoint);
    } else if (!message[0] || checkpoint.world || checkpoint.probe_mark) {
        abort();
    }
    free(bytes);
    return 0;
}
