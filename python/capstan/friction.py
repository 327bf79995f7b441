"""The friction problem by itself: u = W r + w with Coulomb's law at each contact (docs/solvers.md).

r (contacts, dim) are impulses, u velocities, in each contact's own frame with the normal component first. Units are the caller's.

    answer = capstan.friction.solve(W, w, mu)
    answer.r, answer.u, answer.report.residual.error
    capstan.friction.certify(W, w, mu, r).error        # the judge alone
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from capstan import _interrupt
from capstan._lib import Message, ffi, lib, real_array, text, to_dataclass
from capstan.errors import CapstanError
from capstan.results import FrictionReport, Residual

__all__ = ["Answer", "certify", "solve"]


@dataclass(frozen=True)
class Answer:
    """What a solver found, and how exactly the law is met by it."""

    r: np.ndarray  #: (contacts, dim) impulses
    u: np.ndarray  #: (contacts, dim) velocities
    report: FrictionReport


class _Problem:
    """A problem of C over arrays of numpy; these live as long as it does."""

    def __init__(self, W: Any, w: Any, mu: Any, bilateral: Any) -> None:
        free = np.asarray(w)
        if free.ndim == 2:
            self.dim = int(free.shape[1])
        else:
            contacts = np.size(mu) if np.ndim(mu) else 0
            self.dim = int(free.size // contacts) if contacts and free.size % contacts == 0 else 0
        if self.dim not in (2, 3):
            raise CapstanError("w: expected (contacts, 2) or (contacts, 3) numbers, or as many in a row with mu of each contact")
        self.w = real_array(free.reshape(-1, self.dim), "w", (None, self.dim))
        n = self.contacts = len(self.w)
        self.mu = real_array(np.broadcast_to(mu, (n,)) if np.ndim(mu) == 0 else mu, "mu", (n,))
        self.row_start, self.column, self.block = _blocks(W, n, self.dim)
        self.law = None
        if bilateral is not None:
            law = np.asarray(bilateral)
            if law.shape != (n,):
                raise CapstanError(f"bilateral: expected {n} truth values")
            self.law = np.ascontiguousarray(law.astype(bool), dtype=np.uint8)
        self.struct = ffi.new("cst_friction_problem *")
        self.struct.dim, self.struct.contacts = self.dim, n
        self.struct.row_start = ffi.cast("int64_t *", self.row_start.ctypes.data)
        self.struct.column = ffi.cast("int32_t *", self.column.ctypes.data)
        self.struct.block = ffi.cast("double *", self.block.ctypes.data)
        self.struct.free_velocity = ffi.cast("double *", self.w.ctypes.data)
        self.struct.mu = ffi.cast("double *", self.mu.ctypes.data)
        if self.law is not None:
            self.struct.law = ffi.cast("uint8_t *", self.law.ctypes.data)


def _blocks(W: Any, n: int, dim: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """W as block CSR with sorted columns and all diagonal blocks: from a dense matrix, (n, n, dim, dim) blocks, or anything of scipy.sparse."""
    size = n * dim
    if hasattr(W, "tocsr"):
        return _sparse_blocks(W, n, dim)
    dense = np.asarray(W, dtype=np.float64)
    if dense.shape == (n, n, dim, dim):
        blocks = dense
    elif dense.shape == (size, size):
        blocks = dense.reshape(n, dim, n, dim).transpose(0, 2, 1, 3)
    else:
        raise CapstanError(f"W: expected {size} x {size} numbers for {n} contacts in {dim}D, not {' x '.join(map(str, dense.shape))}")
    there = blocks.reshape(n, n, dim * dim).any(axis=2) | np.eye(n, dtype=bool)
    rows, columns = np.nonzero(there)
    start = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(there.sum(axis=1), out=start[1:])
    return start, columns.astype(np.int32), np.ascontiguousarray(blocks[rows, columns])


def _sparse_blocks(W: Any, n: int, dim: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    from scipy import sparse

    size = n * dim
    if W.shape != (size, size):
        raise CapstanError(f"W: expected {size} x {size} for {n} contacts in {dim}D, not {W.shape[0]} x {W.shape[1]}")
    if W.dtype.kind not in "fiu":
        raise CapstanError(f"W: expected real numbers, not {W.dtype}")
    if n == 0:
        return np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros((0, dim, dim))
    blocked = W if getattr(W, "format", "") == "bsr" and W.blocksize == (dim, dim) else sparse.bsr_matrix(W.tocsr(), blocksize=(dim, dim))
    blocked = blocked.copy() if not blocked.has_canonical_format else blocked
    blocked.sum_duplicates()
    blocked.sort_indices()
    rows = np.repeat(np.arange(n), np.diff(blocked.indptr))
    missing = np.setdiff1d(np.arange(n), rows[rows == blocked.indices])
    if len(missing) > 0:  # diagonal blocks of zeros have a place too
        empty = sparse.bsr_matrix((np.zeros((len(missing), dim, dim)), missing, np.searchsorted(missing, np.arange(n + 1))), shape=W.shape)
        order = np.lexsort((np.concatenate([blocked.indices, empty.indices]), np.concatenate([rows, missing])))
        block = np.concatenate([blocked.data, empty.data])[order]
        column = np.concatenate([blocked.indices, missing])[order]
        rows = np.concatenate([rows, missing])[order]
    else:
        block, column = blocked.data, blocked.indices
    start = np.searchsorted(rows, np.arange(n + 1)).astype(np.int64)
    return start, np.ascontiguousarray(column, np.int32), np.ascontiguousarray(block, np.float64)


def _impulses(r: Any, problem: _Problem) -> np.ndarray:
    flat = np.asarray(r)
    wanted = problem.contacts * problem.dim
    if flat.size != wanted:
        raise CapstanError(f"r: expected {problem.contacts} x {problem.dim} numbers, not {' x '.join(map(str, flat.shape))}")
    return real_array(flat.reshape(problem.contacts, problem.dim), "r", (problem.contacts, problem.dim))


def solve(W: Any, w: Any, mu: Any, *, bilateral: Any = None, r: Any = None, tolerance: float = 1e-6, solver: str = "auto",
          max_iterations: int = 100000, threads: int = 1, symmetrise: bool = False) -> Answer:
    """Solves u = W r + w with Coulomb's law.

    W: (contacts dim) squared, dense or of scipy.sparse (BSR with dim x dim blocks is taken as it is), or (contacts, contacts, dim, dim) blocks. w: free
    velocities (contacts, dim). mu: one coefficient each, or one for all. bilateral: contacts with u = 0 and r free. r: first guess. The answer is returned
    whatever its report says: report.status is "solved" if and only if the residual is at or below the tolerance. CapstanError: W, w, mu are no
    problem. Ctrl-C ends the iterations with KeyboardInterrupt."""
    problem = _Problem(W, w, mu, bilateral)
    options = ffi.new("cst_friction_options *", lib.cst_friction_options_default())
    chosen = ffi.new("cst_solver *")
    if not lib.cst_solver_from_name(str(solver).encode(), chosen):
        raise CapstanError(f"there is no solver {solver!r}")
    options.solver, options.tolerance, options.symmetrise = chosen[0], float(tolerance), bool(symmetrise)
    options.max_iterations, options.threads = int(max_iterations), int(threads)
    interrupt = ffi.new("capstan_interrupt *")
    options.progress, options.progress_user = _interrupt.LOOK, interrupt
    shape = (problem.contacts, problem.dim)
    impulses = np.zeros(shape) if r is None else _impulses(r, problem).copy()
    velocities = np.zeros(shape)
    report = ffi.new("cst_friction_report *")
    guard = _interrupt.Guard(interrupt)
    status = lib.cst_friction_solve(problem.struct, options, ffi.cast("double *", impulses.ctypes.data),
                                    ffi.cast("double *", velocities.ctypes.data), report)
    guard.reraise()
    if status == lib.CST_BAD_PROBLEM:
        raise CapstanError(text(report.message))
    if status == lib.CST_OUT_OF_MEMORY:
        raise MemoryError("friction problem")
    found = to_dataclass(FrictionReport, report, status=text(lib.cst_status_name(status)), solver=text(lib.cst_solver_name(report.solver)),
                         form=text(lib.cst_form_name(report.form)), blamed=tuple(report.blamed[0:report.blamed_count]))
    return Answer(impulses, velocities, found)


def certify(W: Any, w: Any, mu: Any, r: Any, *, bilateral: Any = None, scale: Optional[float] = None) -> Residual:
    """The judge alone: how exactly impulses r (contacts, dim), whoever found them, meet the law. scale > 0 overrides the velocity scale V."""
    problem = _Problem(W, w, mu, bilateral)
    message = Message()
    if not lib.cst_problem_check(problem.struct, message.room, message.size):
        raise message.error()
    impulses = _impulses(r, problem)
    if not np.isfinite(impulses).all():
        raise CapstanError(f"r: the impulse of contact {int(np.argwhere(~np.isfinite(impulses))[0][0])} is not finite")
    out = ffi.new("cst_residual *")
    lib.cst_friction_residual(problem.struct, ffi.cast("double *", impulses.ctypes.data), 0.0 if scale is None else float(scale), out)
    return to_dataclass(Residual, out)

