"""The friction solver and its judge on matrices of numpy and scipy."""
import numpy as np
import pytest

import capstan
from capstan.friction import certify, solve


def brick(speed=(2.0, 0.0)):
    """A brick of 1 kg falls on a plane at 1 m/s while it slides."""
    return np.eye(3), np.array([[-1.0, *speed]]), 0.3


def random_problem(n=20, dim=3, seed=1):
    rng = np.random.default_rng(seed)
    H = rng.normal(size=(n * dim, 2 * n * dim))
    return H @ H.T / n, rng.normal(size=(n, dim)), rng.uniform(0.1, 0.8, size=n)


def coulomb_violation(W, w, mu, r):
    """The law written out once more, here: independent of everything in the library."""
    u = (W @ r.ravel() + w.ravel()).reshape(w.shape)
    worst = 0.0
    for ui, ri, m in zip(u, r, mu):
        normal, tangent = ri[0], np.linalg.norm(ri[1:])
        worst = max(worst, -normal, -ui[0], abs(normal * ui[0]), tangent - m * normal)
        slip = np.linalg.norm(ui[1:])
        worst = max(worst, slip * (m * normal - tangent), slip * tangent + ui[1:] @ ri[1:])
    return worst


def test_brick():
    answer = solve(*brick(), tolerance=1e-12)
    assert answer.report.status == "solved"
    assert answer.r[0] == pytest.approx([1.0, -0.3, 0.0])
    assert answer.u[0] == pytest.approx([0.0, 1.7, 0.0])


def test_random_problems():
    for dim in (2, 3):
        W, w, mu = random_problem(dim=dim)
        answer = solve(W, w, mu, tolerance=1e-10)
        assert answer.report.status == "solved" and answer.report.residual.error <= 1e-10
        assert coulomb_violation(W, w, mu, answer.r) < 1e-8
        assert answer.u.ravel() == pytest.approx(W @ answer.r.ravel() + w.ravel(), abs=1e-12)
        judged = certify(W, w, mu, answer.r)
        assert judged.error == answer.report.residual.error
        assert certify(W, w, mu, answer.r * 1.01).error > 1e-4
        assert certify(W, w, mu, np.zeros_like(w)).error == pytest.approx(1.0)


def test_all_kinds_of_matrices_give_the_same_bits():
    sparse = pytest.importorskip("scipy.sparse")
    W, w, mu = random_problem(n=10)
    W[:3, 27:] = W[27:, :3] = 0.0
    blocks = W.reshape(10, 3, 10, 3).transpose(0, 2, 1, 3)
    answers = [solve(kind, w, mu).r for kind in (W, blocks, sparse.csr_matrix(W), sparse.coo_matrix(W), sparse.bsr_matrix(W, blocksize=(3, 3)),
                                                 sparse.csc_array(W), sparse.bsr_array(W, blocksize=(3, 3)))]
    assert all((r == answers[0]).all() for r in answers)


def test_missing_diagonal_blocks():
    sparse = pytest.importorskip("scipy.sparse")
    W = np.zeros((9, 9))
    W[:3, :3] = np.eye(3)
    w = np.array([[-1.0, 0, 0], [1.0, 0, 0], [1.0, 0.0, 0.0]])
    one, two = solve(W, w, 0.5), solve(sparse.csr_matrix(W), w, 0.5)
    assert (one.r == two.r).all() and one.r[0, 0] == pytest.approx(1.0)


def test_bilateral_and_first_guess():
    W, w, mu = random_problem(n=4)
    answer = solve(W, w, mu, bilateral=[True, False, False, False], tolerance=1e-10)
    assert answer.u[0] == pytest.approx([0, 0, 0], abs=1e-9)
    again = solve(W, w, mu, bilateral=[True, False, False, False], r=answer.r, tolerance=1e-9)
    assert again.report.iterations <= 1


def test_no_solution_is_named():
    answer = solve(np.zeros((3, 3)), [[-1.0, 0, 0]], [0.3])
    assert answer.report.status != "solved"


def test_empty():
    assert solve(np.zeros((0, 0)), np.zeros((0, 3)), np.zeros(0)).report.status == "solved"
    assert certify(np.zeros((0, 0)), np.zeros((0, 3)), np.zeros(0), np.zeros((0, 3))).worst_contact == -1


@pytest.mark.parametrize("call, says", [
    (lambda: solve(np.eye(4), [[-1, 0, 0]], 0.3), "3 x 3"),
    (lambda: solve(np.eye(3), [[-1, 0, 0, 0]], 0.3), "w"),
    (lambda: solve(np.eye(3), [-1, 0, 0], 0.3), "w"),
    (lambda: solve(np.eye(3), [[-1, 0, 0]], [0.3, 0.3]), "mu"),
    (lambda: solve(np.eye(3), [[-1, 0, 0]], -0.3), "contact 0"),
    (lambda: solve(np.eye(3), [[np.nan, 0, 0]], 0.3), "contact 0"),
    (lambda: solve(np.full((3, 3), np.nan), [[-1, 0, 0]], 0.3), "contact 0"),
    (lambda: solve(np.eye(3), [[-1, 0, 0]], 0.3, r=[1.0, 2.0]), "r: expected 1 x 3"),
    (lambda: solve(np.eye(3), [[-1, 0, 0]], 0.3, solver="magic"), "no solver"),
    (lambda: solve(np.eye(3), [[-1, 0, 0]], 0.3, bilateral=[True, False]), "bilateral"),
    (lambda: solve(np.eye(3), [[-1, 0, 0]], 0.3, tolerance=float("nan")), "tolerance"),
    (lambda: certify(np.eye(3), [[np.inf, 0, 0]], 0.3, [[0, 0, 0]]), "contact 0"),
    (lambda: certify(np.eye(3), [[-1, 0, 0]], 0.3, [[np.nan, 0, 0]]), "contact 0"),
    (lambda: certify(np.eye(3), [[-1, 0, 0]], 0.3, [[0, 0, 0], [0, 0, 0]]), "r"),
])
def test_bad_problems(call, says):
    with pytest.raises(capstan.CapstanError, match=says):
        call()


def test_every_solver_is_judged_alike():
    W, w, mu = random_problem(n=5)
    for solver in ("gauss-seidel", "accelerated", "newton-ac", "projected-gradient", "interior-point"):
        answer = solve(W, w, mu, solver=solver, tolerance=1e-6)
        assert certify(W, w, mu, answer.r).error == answer.report.residual.error
