/* Seeded random number generator: the same seed gives the same bits on every machine with IEEE double arithmetic.
 *
 * The bits come from xoshiro256** of Blackman and Vigna (2018), whose state is filled by splitmix64. Random numbers of all
 * distributions are computed with + - * /, square roots and exact functions (floor, frexp, ldexp) only. The functions log and exp
 * of C libraries are not used, because their last bits differ between releases and processors. To get the same numbers
 * everywhere, draw one number per statement: in C, the compiler chooses the order of evaluation of arguments and initialisers. */
#ifndef CST_BASE_RNG_H
#define CST_BASE_RNG_H

#include <stdint.h>

typedef struct cst_rng {
    uint64_t state[4];
} cst_rng;

/* The generator gives, for one seed, a separate sequence of random numbers for each number `stream`. Sequences with the same seed
 * and different stream numbers are statistically independent. Parts of a program that use the same seed should therefore use
 * different stream numbers. */
void cst_rng_seed(cst_rng *rng, uint64_t seed, uint64_t stream);

uint64_t cst_rng_bits(cst_rng *rng);
double cst_rng_uniform(cst_rng *rng);                            /* [0, 1), multiples of 2^-53 */
double cst_rng_range(cst_rng *rng, double low, double high);     /* uniform in [low, high) */
double cst_rng_log_range(cst_rng *rng, double low, double high); /* log-uniform random number in [low, high), low > 0 */
double cst_rng_normal(cst_rng *rng);                             /* mean 0, variance 1 */
double cst_rng_exponential(cst_rng *rng);                        /* mean 1 */
/* random integer from 0 to count - 1, with equal probabilities; count >= 1 */
int cst_rng_integer(cst_rng *rng, int count);
/* random unit vector, uniform on the circle (dim 2) or the sphere (dim 3) */
void cst_rng_direction(cst_rng *rng, int dim, double *unit);

#endif
