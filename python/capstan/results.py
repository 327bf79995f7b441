"""What a step, a run and a friction solver say about themselves. Fields have the names of the C structs; SI units."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Residual:
    """How exactly an answer meets the Coulomb law, computed from the problem and the answer alone (docs/solvers.md)."""

    error: float  #: E: what a tolerance is compared with
    fischer_burmeister: float
    cone_violation: float
    penetration: float
    complementarity: float
    momentum: float
    velocity_scale: float  #: V, m/s (or the unit of the problem)
    worst_contact: int  #: where `error` is attained, from 0; -1: there is no contact


@dataclass(frozen=True)
class Energies:
    """J. Works are since the start of the world; positive: given to the bodies."""

    kinetic: float
    elastic: float
    gravity: float
    loads: float
    constraints: float
    normal: float
    friction: float
    viscosity: float
    drag: float
    scheme: float
    forgotten: float
    unexplained: float
    moved: float


@dataclass(frozen=True)
class StepSeconds:
    """Wall clock of a step by phase, s (docs/life_of_a_step.md)."""

    begin: float
    place: float
    assemble: float
    free_motion: float
    detect: float
    track: float
    rows: float
    friction_setup: float
    friction_solve: float
    friction_judge: float
    apply: float
    detect_end: float
    end: float
    finish: float
    energy: float
    other: float


@dataclass(frozen=True)
class StepReport:
    """One accepted step."""

    status: str  #: "solved", or "tolerance missed": as well as the solver could
    time: float  #: s, at the end of the step
    dt: float  #: s
    step: int
    retries: int  #: times the step was begun again, with half the dt or less restitution
    contacts: int
    new_contacts: int
    nu: float
    sticking: int
    sliding: int
    islands: int
    iterations: int
    iterations_total: int
    newton_iterations: int
    solver: str
    form: str
    residual: Residual = field(metadata={"kind": Residual})
    penetration: float  #: m: deepest now
    crossings: int  #: pairs of triangles that cross now, at least one of them of a sheet; message says where
    constraint_error: float  #: m: largest now
    motion: float  #: m: largest in the step
    imbalance: float  #: N, of a quasi-static step
    energy: Energies = field(metadata={"kind": Energies})
    seconds: StepSeconds = field(metadata={"kind": StepSeconds})
    seconds_total: float
    message: str


@dataclass(frozen=True)
class FrictionReport:
    """How a friction problem was solved."""

    status: str
    residual: Residual = field(metadata={"kind": Residual})
    solver: str
    form: str
    iterations: int
    iterations_total: int
    newton_iterations: int
    local_solves: int
    local_failures: int
    fallbacks: int
    islands: int
    colours: int
    threads: int
    asymmetry: float
    seconds: float  #: s, solving
    setup_seconds: float
    memory_bytes: int
    blamed: tuple[int, ...]  #: contacts that cannot be satisfied, if the status is "no solution" or "ill-posed"
    message: str


@dataclass(frozen=True)
class RunTotals:
    """Figures of a run."""

    time: float  #: s
    steps: int
    frames: int
    contacts_max: int
    nu_max: float
    iterations: int
    retries: int
    missed: int  #: steps over the tolerance
    unconverged: int
    worst_error: float
    worst_step: int
    deepest_penetration: float  #: m
    crossed: int  #: steps that ended with crossing triangles of sheets
    crossings_max: int  #: largest number of crossing pairs of triangles at the end of a step
    crossing: str  #: where triangles crossed in the first such step
    worst_imbalance: float  #: N
    energy: Energies = field(metadata={"kind": Energies})
    unexplained: float  #: J, the largest
    seconds: float  #: s, wall clock of all sessions


@dataclass(frozen=True)
class RunResult:
    """How a run ended."""

    directory: str
    end: str  #: "finished", "already" (nothing was left to do) or "interrupted"
    at_rest: bool
    started_over: bool
    was_killed: bool
    from_previous: bool
    duration: float  #: s, asked for
    tolerance: float
    seconds: float  #: s, wall clock of this session
    start_time: float  #: s, simulated time at which this session began: 0 for a new run, above 0 for a resumed one
    saved_time: float  #: s: what is on the disk reaches up to here
    speed_at_first: float  #: m/s: of the fastest vertex of what began as another run ended; 0 where nothing did
    totals: RunTotals = field(metadata={"kind": RunTotals})

    def open(self) -> Any:
        """The results: a capstan.Cache."""
        from capstan.cache import Cache

        return Cache(self.directory)
