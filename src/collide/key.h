/* 64-bit hash keys that distinguish two configurations: words are mixed into the key one after another. */
#ifndef CST_COLLIDE_KEY_H
#define CST_COLLIDE_KEY_H

#include <stdint.h>
#include <string.h>

/* Returns the finaliser of splitmix64 (Steele, Lea, Flood, 2014): every bit of x changes every bit of the result. */
static inline uint64_t cst_key_mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static inline void cst_key_add(uint64_t *key, uint64_t word)
{
    *key = cst_key_mix(*key + 0x9e3779b97f4a7c15u + word);
}

static inline void cst_key_add_reals(uint64_t *key, const double *value, int count)
{
    for (int i = 0; i < count; ++i) {
        uint64_t word;
        memcpy(&word, value + i, sizeof word);
        cst_key_add(key, word);
    }
}

#endif
