#include "friction/contact_metric.h"

#include <math.h>

#include "friction/cone.h"

/* LEAST: smallest normal or tangential compliance in the metric D, divided by the mean diagonal entry of the contact's block of
 * the Delassus matrix. A relative compliance below LEAST is raised to LEAST, so that the metric D is invertible. */
static const double LEAST = 1e-3;

/* Returns the largest eigenvalue of the symmetric part of the tangential block of `a`, the diagonal block of a contact in the
 * Delassus matrix. */
static double tangential_stiffness(int dim, const double *a)
{
    if (dim == 2)
        return a[3];
    const double mean = 0.5 * (a[4] + a[8]), difference = 0.5 * (a[4] - a[8]), coupling = 0.5 * (a[5] + a[7]);
    return mean + sqrt(difference * difference + coupling * coupling);
}

static cst_contact_metric metric_of(const cst_system *system, int i)
{
    const int dim = system->dim;
    const double *a = system->diagonal + (size_t)i * (size_t)(dim * dim);
    const double normal = fmax(a[0], LEAST), tangential = fmax(tangential_stiffness(dim, a), LEAST);
    double square = 0.0;
    for (int k = 1; k < dim; k++) {
        const double w = 0.5 * (a[k] + a[k * dim]);
        square += w * w;
    }
    const double share = 1.0 + sqrt(square / (normal * tangential));
    const double ratio = sqrt(tangential / normal);
    return (cst_contact_metric){.normal = share * normal,
                                .tangential = share * tangential,
                                .ratio = ratio,
                                .mu = system->law[i] == CST_LAW_BILATERAL ? -1.0 : system->mu[i] * ratio};
}

void cst_contact_metrics(const cst_system *system, cst_contact_metric *metric)
{
    for (int i = 0; i < system->contacts; i++)
        metric[i] = metric_of(system, i);
}

void cst_contact_metric_step(int dim, const cst_contact_metric *metric, const double *x, const double *v, double step, double *p)
{
    p[0] = x[0] - step * v[0] / metric->normal;
    for (int k = 1; k < dim; k++)
        p[k] = x[k] - step * v[k] / metric->tangential;
    if (metric->mu < 0.0)
        return;
    for (int k = 1; k < dim; k++)
        p[k] *= metric->ratio;
    cst_cone_project(dim, metric->mu, p, p);
    for (int k = 1; k < dim; k++)
        p[k] /= metric->ratio;
}

double cst_contact_metric_length(int dim, const cst_contact_metric *metric, const double *x, const double *p)
{
    double sum = metric->normal * metric->normal * (p[0] - x[0]) * (p[0] - x[0]);
    for (int k = 1; k < dim; k++)
        sum += metric->tangential * metric->tangential * (p[k] - x[k]) * (p[k] - x[k]);
    return sqrt(sum);
}

double cst_contact_correction(const cst_system *system, int contact, const double *y)
{
    if (system->law[contact] == CST_LAW_BILATERAL)
        return 0.0;
    return system->mu[contact] * (system->dim == 2 ? fabs(y[1]) : sqrt(y[1] * y[1] + y[2] * y[2]));
}
