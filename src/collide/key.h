/* Computes 64-bit hash keys of data: the data are mixed into a key in steps of one or two 64-bit words. */
#ifndef CST_COLLIDE_KEY_H
#define CST_COLLIDE_KEY_H

#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 cst_key_product;

/* Returns the exclusive or of the upper and the lower half of the 128-bit product of the words x and y (the function MUM of
 * Vladimir Makarov's mum-hash). A change of any bit of the words x or y changes about half the bits of the returned word. */
static inline uint64_t cst_key_mix(uint64_t x, uint64_t y)
{
    const cst_key_product product = (cst_key_product)x * y;
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

/* Mixes two words into the key. The two constants are odd numbers with random bits. The constants make it unlikely that a factor
 * of the product in cst_key_mix is 0. */
static inline void cst_key_add_two(uint64_t *key, uint64_t first, uint64_t second)
{
    *key = cst_key_mix(first ^ 0xbf58476d1ce4e5b9u, second ^ (*key + 0x9e3779b97f4a7c15u));
}

static inline void cst_key_add(uint64_t *key, uint64_t word)
{
    cst_key_add_two(key, word, 0);
}

static inline void cst_key_add_reals(uint64_t *key, const double *value, int count)
{
    uint64_t word[2];
    int i = 0;
    for (; i + 1 < count; i += 2) {
        memcpy(word, value + i, sizeof word);
        cst_key_add_two(key, word[0], word[1]);
    }
    if (i < count) {
        memcpy(word, value + i, sizeof *word);
        cst_key_add(key, word[0]);
    }
}

#endif
