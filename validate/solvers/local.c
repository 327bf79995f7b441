/* The local solvers on random contacts of every family: what fails, how exact, how fast.
 *
 *     capstan-bench local [contacts per family and dimension, 60000]
 *
 * floor = 8 eps (1 + |r'|) (1 + mu) is what double arithmetic allows: residuals are printed as multiples of it. A contact is
 * "hopeless" if the direct solver says NO_SOLUTION or ILL_POSED; tests/test_local_campaign.c checks that it is right to. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "benches.h"
#include "capstan/friction.h"
#include "cli/arguments.h"
#include "cli/progress.h"
#include "friction/local.h"
#include "generate/contact.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* one thread: not disturbed by other processes */
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Error over floor, judged from the problem as given. */
static double over_floor(const cst_contact_sample *c, const double *r, double error)
{
    double weight = 0.0, b = 0.0, size = 0.0;
    for (int k = 0; k < c->dim; ++k) {
        weight += c->W[k * c->dim + k] / c->dim;
        b += c->b[k] * c->b[k];
        size += r[k] * r[k];
    }
    return error / (8.0 * DBL_EPSILON * (1.0 + weight * sqrt(size / b)) * (1.0 + c->mu));
}

typedef struct totals {
    long contacts, unsolved; /* unsolved: neither solved nor hopeless */
    double worst;
} totals;

static void campaign(cst_contact_family family, int dim, int count, cst_contact_sample *contact, totals *sum)
{
    cst_rng rng;
    cst_rng_seed(&rng, 2, (uint64_t)family * 8 + (uint64_t)dim);
    for (int i = 0; i < count; ++i)
        cst_generate_contact(family, dim, &rng, &contact[i]);

    printf("%-20s %dD ", cst_contact_family_name(family), dim);
    int hopeless[2] = {0, 0}, failed = 0;
    long cases[3] = {0};
    double worst = 0.0;
    for (int i = 0; i < count; ++i) {
        const cst_contact_sample *c = &contact[i];
        double r[3] = {0.0, 0.0, 0.0};
        cst_local_result result = cst_local_solve(CST_LOCAL_DIRECT, dim, c->W, c->b, c->mu, 0.0, r);
        if (result.status == CST_LOCAL_NO_SOLUTION)
            ++hopeless[0];
        else if (result.status == CST_LOCAL_ILL_POSED)
            ++hopeless[1];
        else if (result.status != CST_LOCAL_SOLVED)
            ++failed;
        else {
            ++cases[result.contact_case];
            worst = fmax(worst, over_floor(c, r, result.error));
        }
    }
    printf("take-off %4.1f%% stick %4.1f%% slide %5.1f%%  none %6d  ill-posed %5d  FAILED %d  worst %.2f floor |",
           100.0 * (double)cases[0] / count, 100.0 * (double)cases[1] / count, 100.0 * (double)cases[2] / count, hopeless[0],
           hopeless[1], failed, worst);
    sum->contacts += count;
    sum->unsolved += failed;
    sum->worst = fmax(sum->worst, worst);

    /* cold, prepared for the first time, prepared and warm (b moved by 1 %) */
    double start = now(), sink = 0.0;
    for (int i = 0; i < count; ++i) {
        double r[3] = {0.0, 0.0, 0.0};
        const cst_contact_sample *c = &contact[i];
        cst_local_solve(CST_LOCAL_DIRECT, dim, c->W, c->b, c->mu, 0.0, r);
        sink += r[0];
    }
    printf(" direct %5.0f ns", 1e9 * (now() - start) / count);
    size_t each = dim == 3 ? sizeof(cst_local_direct3) : sizeof(cst_local_direct2);
    char *prepared = aligned_alloc(64, (each * (size_t)count + 63) / 64 * 64);
    double *r = calloc((size_t)count * 3, sizeof *r), *b = calloc((size_t)count * 3, sizeof *b);
    if (!prepared || !r || !b)
        exit(1);
    for (int pass = 0; pass < 3; ++pass) {
        for (int i = 0; i < count; ++i) {
            for (int k = 0; k < dim; ++k)
                b[3 * i + k] = contact[i].b[k] * (pass == 2 ? 1.0 + 0.01 * cst_rng_normal(&rng) : 1.0);
        }
        start = now();
        for (int i = 0; i < count; ++i) {
            const cst_contact_sample *c = &contact[i];
            void *p = prepared + each * (size_t)i;
            if (pass == 0 && dim == 3)
                cst_local_direct3_prepare(c->W, c->mu, p);
            else if (pass == 0)
                cst_local_direct2_prepare(c->W, c->mu, p);
            else if (dim == 3)
                cst_local_direct3_solve(p, b + 3 * i, r + 3 * i);
            else
                cst_local_direct2_solve(p, b + 3 * i, r + 3 * i);
        }
        printf(" %s %4.0f", pass == 0 ? "prepare" : pass == 1 ? "first" : "warm", 1e9 * (now() - start) / count);
    }
    printf("%s\n", sink == 0.12345 ? " " : "");
    free(prepared);
    free(r);
    free(b);
}

/* Time and failures of one solver over the families with an answer, mu in [0.01, 10]. */
static void compare(cst_local_solver solver, int dim, int count, cst_contact_sample *contact)
{
    static const cst_contact_family families[] = {CST_CONTACT_GRAM, CST_CONTACT_CONDITION_1E1, CST_CONTACT_CONDITION_1E4,
                                                  CST_CONTACT_CONDITION_1E8};
    printf("%-10s %dD", cst_local_solver_name(solver), dim);
    for (size_t f = 0; f < sizeof families / sizeof families[0]; ++f) {
        cst_rng rng;
        cst_rng_seed(&rng, 3, (uint64_t)families[f] * 8 + (uint64_t)dim);
        double *warm = calloc((size_t)count * 3, sizeof *warm);
        if (!warm)
            exit(1);
        for (int i = 0; i < count; ++i) {
            cst_contact_sample *c = &contact[i];
            cst_generate_contact(families[f], dim, &rng, c);
            cst_local_solve(CST_LOCAL_DIRECT, dim, c->W, c->b, c->mu, 0.0, warm + 3 * i);
            for (int k = 0; k < dim; ++k)
                warm[3 * i + k] *= 1.0 + 0.1 * cst_rng_normal(&rng);
        }
        printf("  | %-13s", cst_contact_family_name(families[f]));
        for (int pass = 0; pass < 2; ++pass) {
            int failures = 0;
            double worst = 0.0, start = now();
            for (int i = 0; i < count; ++i) {
                const cst_contact_sample *c = &contact[i];
                double r[3] = {0.0, 0.0, 0.0};
                if (pass == 1)
                    memcpy(r, warm + 3 * i, sizeof r);
                cst_local_result result = cst_local_solve(solver, dim, c->W, c->b, c->mu, 1e-10, r);
                if (result.status != CST_LOCAL_SOLVED)
                    ++failures;
                worst = fmax(worst, result.error);
            }
            double ns = 1e9 * (now() - start) / count;
            printf(" %s %6.0f ns %7.3f%% worst %.1e", pass == 0 ? "cold" : "warm", ns, 100.0 * failures / count, worst);
        }
        free(warm);
    }
    printf("\n");
}

/* What a sweep pays: prepared contacts in cache, by case, b moving by `change` from one visit to the next. */
static void sweep_cost(int dim, cst_local_case contact_case, double change)
{
    enum { KEPT = 1000, VISITS = 200 };
    static cst_local_direct3 solid[KEPT];
    static cst_local_direct2 flat[KEPT];
    static double b[2][KEPT][3], r[KEPT][3];
    cst_rng rng;
    cst_rng_seed(&rng, 4, (uint64_t)contact_case * 8 + (uint64_t)dim);
    for (int i = 0; i < KEPT;) {
        cst_contact_sample c;
        cst_generate_contact(CST_CONTACT_GRAM, dim, &rng, &c);
        c.mu = cst_rng_range(&rng, 0.1, 1.0);
        if (contact_case == CST_CASE_TAKE_OFF)
            c.b[0] = -c.b[0];
        double answer[3] = {0.0, 0.0, 0.0};
        if (cst_local_solve(CST_LOCAL_DIRECT, dim, c.W, c.b, c.mu, 0.0, answer).contact_case != contact_case)
            continue;
        for (int k = 0; k < dim; ++k) {
            b[0][i][k] = c.b[k];
            b[1][i][k] = c.b[k] * (1.0 + change * cst_rng_normal(&rng));
        }
        if (dim == 3)
            cst_local_direct3_prepare(c.W, c.mu, &solid[i]);
        else
            cst_local_direct2_prepare(c.W, c.mu, &flat[i]);
        ++i;
    }
    double best = INFINITY;
    for (int visit = 0; visit < VISITS; ++visit) {
        double start = now();
        for (int i = 0; i < KEPT; ++i) {
            if (dim == 3)
                cst_local_direct3_solve(&solid[i], b[visit % 2][i], r[i]);
            else
                cst_local_direct2_solve(&flat[i], b[visit % 2][i], r[i]);
        }
        best = fmin(best, now() - start);
    }
    printf(" %5.1f", 1e9 * best / KEPT);
}

static const cst_command command = {.name = "capstan-bench local",
                                    .usage = "[CONTACTS]",
                                    .about =
                                        "The local solvers on random contacts of every family: what fails, how exact, how fast."};

int cst_bench_local(int argc, char **argv)
{
    int code;
    const int operands = cst_arguments_parse(&command, NULL, 0, argc, argv, &code);
    if (operands < 0)
        return code;
    int count = operands > 0 ? atoi(argv[0]) : 60000;
    cst_contact_sample *contact = count > 0 ? malloc((size_t)count * sizeof *contact) : NULL;
    if (!contact) {
        fprintf(stderr, "capstan-bench local: CONTACTS, per family and dimension, is a whole number above 0\n");
        return CST_EXIT_BAD;
    }
    totals sum = {0};
    printf("direct solver, %d contacts per row; ns per solve: from scratch, to prepare, prepared first time, prepared warm\n",
           count);
    for (int dim = 3; dim >= 2; --dim) {
        for (int family = 0; family < CST_CONTACT_FAMILY_COUNT; ++family)
            campaign((cst_contact_family)family, dim, count, contact, &sum);
    }
    printf("%ld contacts, %ld failed, worst residual %.2f floor\n", sum.contacts, sum.unsolved, sum.worst);
    printf("\nprepared, in cache, ns (best of 200): take-off, stick, slide with b moving by 10%%, 1%%, 1e-4, 1e-6\n");
    for (int dim = 3; dim >= 2; --dim) {
        printf("%dD", dim);
        sweep_cost(dim, CST_CASE_TAKE_OFF, 0.01);
        sweep_cost(dim, CST_CASE_STICK, 0.01);
        static const double change[] = {0.1, 0.01, 1e-4, 1e-6};
        for (int k = 0; k < 4; ++k)
            sweep_cost(dim, CST_CASE_SLIDE, change[k]);
        printf("\n");
    }
    printf("\nall solvers, tolerance 1e-10 or the floor: ns per solve, failures, worst residual; cold, and from the answer +- "
           "10%%\n");
    int few = count < 20000 ? count : 20000;
    for (int dim = 3; dim >= 2; --dim) {
        for (int solver = 0; solver < CST_LOCAL_COUNT; ++solver)
            compare((cst_local_solver)solver, dim, few, contact);
    }
    free(contact);
    return 0;
}
