#!/usr/bin/python3
"""Runs Siconos (python3-siconos) on friction problems for `capstan-bench`: siconos_rows.py JOBS RESULTS

JOBS, tab-separated, one job per line:     id  path  solver  goal  value  scaled  seconds
    path    FCLIB local file
    solver  nsgs, nsn_ac, prox (fc3d; a 2D problem is answered "not 3D")
    goal    iterations: that many.  error, fb: as few as it takes to bring the measure to `value`, found by bisection, so that the
            time is the solver's own best; its stopping test is never what decides.
    scaled  1: the problem of the published comparison, W symmetrised and divided by its mean diagonal, q by max |q_i|
    seconds processor time after which the job is given up
RESULTS, one line per job, in order:       id  status  iterations  cpu_seconds
    and id.r beside it: the impulses as float64, in the units of the file. The caller judges them.

Each job has a process of its own: Siconos may end its process, and nothing else stops it.
"""
import os
import signal
import sys
import time

import h5py
import numpy as np
import scipy.sparse as sparse


def read_problem(path):
    with h5py.File(path, "r") as file:
        group = file["fclib_local"]
        matrix = group["W"]
        rows, columns, kind = (int(matrix[name][0]) for name in ("m", "n", "nz"))
        x, i, p = (matrix[name][:] for name in ("x", "i", "p"))
        if kind == -2:
            w = sparse.csr_matrix((x, i, p), (rows, columns))
        elif kind == -1:
            w = sparse.csc_matrix((x, i, p), (rows, columns)).tocsr()
        else:
            w = sparse.coo_matrix((x[:kind], (i[:kind], p[:kind])), (rows, columns)).tocsr()
        return int(group["spacedim"][0]), w, group["vectors/q"][:], group["vectors/mu"][:]


def write_text(path, dim, w, q, mu):
    """Siconos' own text format with sparse-block storage, which its Gauss-Seidel is fastest on."""
    blocks = sparse.bsr_matrix(w, blocksize=(dim, dim))
    blocks.sort_indices()
    n = len(mu)
    sizes = " ".join(str(dim * (k + 1)) for k in range(n))
    with open(path, "w", encoding="ascii") as to:
        to.write(f"{dim}\n{n}\n1\n{dim * n}\n{dim * n}\n{len(blocks.indices)}\n{n} {n}\n{sizes}\n{sizes}\n")
        to.write(f"{n + 1}\n{len(blocks.indices)}\n")
        to.write(" ".join(map(str, blocks.indptr)) + "\n" + " ".join(map(str, blocks.indices)) + "\n")
        for k, block in enumerate(blocks.data):
            to.write(f"{k}\n" + " ".join("%.17g" % value for value in block.T.ravel()) + "\n")
        to.write(" ".join("%.17g" % value for value in q) + "\n" + " ".join("%.17g" % value for value in mu) + "\n")


def alart_curnier(dim, w, q, mu, r):
    """E: the largest |f_AC| of the scaled impulses and velocities, with V the largest approach velocity."""
    n = len(mu)
    q, u = q.reshape(n, dim), (w @ r + q).reshape(n, dim)
    scale = max(-q[:, 0].min(initial=0), 1e-6 * np.linalg.norm(q, axis=1).max(initial=0)) or 1
    compliance = w.diagonal().reshape(n, dim).mean(axis=1)
    compliance[compliance == 0] = compliance.max(initial=0)
    r, u = compliance[:, None] * r.reshape(n, dim) / scale, u / scale
    f = np.empty_like(r)
    f[:, 0] = np.maximum(0, r[:, 0] - u[:, 0]) - r[:, 0]
    y, disc = r[:, 1:] - u[:, 1:], np.maximum(0, mu * r[:, 0])
    length = np.linalg.norm(y, axis=1)
    outside = length > disc
    y[outside] *= (disc[outside] / length[outside])[:, None]
    f[:, 1:] = y - r[:, 1:]
    return np.linalg.norm(f, axis=1).max(initial=0)


def fischer_burmeister(dim, w, q, mu, r):
    """The measure of the published comparison, for a problem scaled as above."""
    n = len(mu)
    u = (w @ r + q).reshape(n, dim)
    r = w.diagonal().reshape(n, dim).mean(axis=1)[:, None] * r.reshape(n, dim)
    x = np.concatenate([(mu * r[:, 0])[:, None], r[:, 1:]], axis=1)
    slide = np.linalg.norm(u[:, 1:], axis=1)
    y = np.concatenate([(u[:, 0] + mu * slide)[:, None], mu[:, None] * u[:, 1:]], axis=1)
    # The square root in the Jordan algebra of the second-order cone.
    mixed = x[:, :1] * x[:, 1:] + y[:, :1] * y[:, 1:]
    length = np.linalg.norm(mixed, axis=1)
    unit = np.where(length[:, None] > 0, mixed / np.where(length > 0, length, 1)[:, None], np.eye(dim - 1)[0])
    low = sum(np.linalg.norm(z[:, :1] * unit - z[:, 1:], axis=1) ** 2 for z in (x, y))
    high = sum(np.linalg.norm(z[:, :1] * unit + z[:, 1:], axis=1) ** 2 for z in (x, y))
    low, high = np.where(length > 0, low, (x**2 + y**2).sum(axis=1)), np.where(length > 0, high, (x**2 + y**2).sum(axis=1))
    root = np.concatenate([((np.sqrt(low) + np.sqrt(high)) / 2)[:, None], ((np.sqrt(high) - np.sqrt(low)) / 2)[:, None] * unit], axis=1)
    return np.linalg.norm(x + y - root, axis=1).max(initial=0)


class Runner:
    def __init__(self, path, solver, problem):
        import siconos.numerics as numerics

        self.numerics = numerics
        self.identity = {"nsgs": numerics.SICONOS_FRICTION_3D_NSGS,
                         "nsn_ac": numerics.SICONOS_FRICTION_3D_NSN_AC,
                         "prox": numerics.SICONOS_FRICTION_3D_PROX}[solver]
        write_text(path, *problem)
        self.problem = numerics.frictionContact_new_from_filename(path)
        self.size = len(problem[2])

    def run(self, iterations):
        """(r, processor seconds, iterations done); the solver's own stopping test is out of reach."""
        numerics = self.numerics
        options = numerics.SolverOptions(self.identity)
        options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = iterations
        options.dparam[numerics.SICONOS_DPARAM_TOL] = 1e-14
        r, u = np.zeros(self.size), np.zeros(self.size)
        start = time.process_time()
        numerics.fc3d_driver(self.problem, r, u, options)
        seconds = time.process_time() - start
        return r, seconds, int(options.iparam[numerics.SICONOS_IPARAM_ITER_DONE])


def fewest(runner, reached):
    """Doubles the iterations until the goal is reached, then bisects. None if more iterations change nothing any more."""
    low, high, last = 0, 1, -1
    while True:
        answer = runner.run(high)
        if reached(answer[0]):
            break
        if answer[2] <= last:
            return None
        low, high, last = high, 2 * high, answer[2]
    while high - low > max(1, high // 64):
        middle = (low + high) // 2
        trial = runner.run(middle)
        if reached(trial[0]):
            high, answer = middle, trial
        else:
            low = middle
    again = runner.run(high)  # the quicker of two: the first one also warmed the caches
    return answer if answer[1] < again[1] else again


def do_job(job, results, line_to):
    identity, path, solver, goal, value, scaled, _ = job
    dim, w, q, mu = read_problem(path)
    if dim != 3:
        os.write(line_to, b"not 3D\t0\t0")
        return
    per_impulse = 1.0
    if scaled == "1":
        w = (w + w.T) / 2
        mean, largest = w.diagonal().mean(), np.linalg.norm(q.reshape(-1, dim), axis=1).max() or 1
        w, q, per_impulse = w / mean, q / largest, largest / mean
    measure = fischer_burmeister if goal == "fb" else alart_curnier
    runner = Runner(os.path.join(os.path.dirname(results), f"{identity}.dat"), solver, (dim, w, q, mu))
    if goal == "iterations":
        runner.run(1)
        answer = min((runner.run(int(value)) for _ in range(3)), key=lambda each: each[1])
    else:
        answer = fewest(runner, lambda r: measure(dim, w, q, mu, r) <= float(value))
    if answer is None:
        os.write(line_to, b"stalled\t0\t0")
        return
    (answer[0] * per_impulse).astype("<f8").tofile(os.path.join(os.path.dirname(results), f"{identity}.r"))
    os.write(line_to, f"ok\t{answer[2]}\t{answer[1]:.9g}".encode())


def in_a_process(job, results):
    read_from, write_to = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read_from)
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            do_job(job, results, write_to)
        finally:
            os._exit(0)
    os.close(write_to)
    deadline = time.monotonic() + float(job[6])
    ended = 0
    while time.monotonic() < deadline and not ended:
        ended, _ = os.waitpid(child, os.WNOHANG)
        if not ended:
            time.sleep(0.002)
    if not ended:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    line = os.read(read_from, 256).decode()
    os.close(read_from)
    return line or ("ended by itself\t0\t0" if ended else "time limit\t0\t0")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    import siconos.numerics  # noqa: F401  once, before the jobs are forked

    jobs, results = sys.argv[1], os.path.abspath(sys.argv[2])
    with open(jobs, encoding="utf-8") as lines, open(results, "w", encoding="utf-8") as to:
        for line in lines:
            job = line.rstrip("\n").split("\t")
            to.write(f"{job[0]}\t{in_a_process(job, results)}\n")
            to.flush()


if __name__ == "__main__":
    main()
