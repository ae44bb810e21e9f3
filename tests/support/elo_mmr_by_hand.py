"""The Elo-MMR paper's algorithms 1 to 3 in plain loops, with zeros by ``scipy.optimize.brentq``.

This reference is written from the paper alone and does not use the engine.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from scipy.optimize import brentq
from scipy.special import log_ndtr

Side = Sequence[str]


def bar(deviation: float) -> float:
    """Return the paper's bar: the scale of a logistic distribution with this deviation."""
    return deviation * math.sqrt(3) / math.pi


def log_density(z: float) -> float:
    """Return the log density of the standard normal distribution."""
    return -0.5 * z**2 - 0.5 * math.log(2 * math.pi)


@dataclass
class Person:
    """The belief about a player. Factor 0 is normal, the others are logistic."""

    mu: float = 1500.0
    sigma: float = 350.0
    p: list[float] = field(default_factory=list)
    w: list[float] = field(default_factory=list)
    beta: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.p, self.w, self.beta = [self.mu], [1 / self.sigma**2], [math.nan]


@dataclass
class World:
    """All players, with the paper's parameters."""

    rho: float = 1.0
    beta: float = 200.0
    gamma: float = 35.0
    split_ties: bool = False
    normal: bool = False
    """Whether performances are normal, as in Elo-MMX."""
    people: dict[str, Person] = field(default_factory=dict)

    def play(
        self,
        sides: Sequence[Side],
        places: Sequence[int],
        *,
        betas: dict[str, float] | None = None,
        gammas: dict[str, float] | None = None,
        ceiling: float = math.inf,
    ) -> None:
        """Play one round (Algorithm 1, with the teams of section 3.3)."""
        everyone = [name for side in sides for name in side]
        beta = betas or dict.fromkeys(everyone, self.beta)
        gamma = gammas or dict.fromkeys(everyone, self.gamma)
        for name in everyone:
            self._diffuse(self.people.setdefault(name, Person()), gamma[name])
        prior = {name: (self.people[name].mu, self.people[name].sigma) for name in everyone}
        mu = [sum(prior[name][0] for name in side) for side in sides]
        delta = [
            math.sqrt(sum(beta[name] ** 2 + prior[name][1] ** 2 for name in side)) for side in sides
        ]
        for number, side in enumerate(sides):
            performance = self._performance(number, places, mu, delta)
            for name in side:
                mates = [other for other in side if other != name]
                own = performance - sum(prior[mate][0] for mate in mates)
                noise = sum(beta[each] ** 2 for each in side)
                noise += sum(prior[mate][1] ** 2 for mate in mates)
                self._update(self.people[name], min(own, ceiling), math.sqrt(noise))

    def _diffuse(self, person: Person, gamma: float) -> None:
        """Run algorithm 2."""
        kappa = 1 / (1 + gamma**2 / person.sigma**2)
        if self.normal or math.isinf(self.rho):
            person.p, person.w, person.beta = [person.mu], [kappa / person.sigma**2], [math.nan]
        else:
            w_gaussian = kappa**self.rho * person.w[0]
            w_transferred = (1 - kappa**self.rho) * sum(person.w)
            whole = w_gaussian + w_transferred
            person.p[0] = (w_gaussian * person.p[0] + w_transferred * person.mu) / whole
            person.w[0] = kappa * whole
            for k in range(1, len(person.w)):
                person.w[k] *= kappa ** (1 + self.rho)
        person.sigma /= math.sqrt(kappa)

    def _performance(
        self, own: int, places: Sequence[int], mu: Sequence[float], delta: Sequence[float]
    ) -> float:
        """Run algorithm 3, phase one, or its normal counterpart (theorem 3.2)."""
        won, drew, lost = self._normal_terms() if self.normal else self._logistic_terms()

        def q(x: float) -> float:
            total = 0.0
            for other in range(len(mu)):
                term = (
                    won
                    if places[own] < places[other]
                    else lost
                    if places[own] > places[other]
                    else drew
                )
                total += term(x, mu[other], delta[other])
            return total

        return zero(q, min(mu) - 20 * max(delta), max(mu) + 20 * max(delta))

    def _logistic_terms(self) -> list[Callable[[float, float, float], float]]:
        def won(x: float, mu: float, delta: float) -> float:
            return -(math.tanh((x - mu) / (2 * bar(delta))) - 1) / bar(delta)

        def lost(x: float, mu: float, delta: float) -> float:
            return -(math.tanh((x - mu) / (2 * bar(delta))) + 1) / bar(delta)

        return [won, self._tie(won, lost), lost]

    def _normal_terms(self) -> list[Callable[[float, float, float], float]]:
        def won(x: float, mu: float, delta: float) -> float:
            z = (x - mu) / delta
            return math.exp(log_density(z) - log_ndtr(z)) / delta

        def lost(x: float, mu: float, delta: float) -> float:
            z = (x - mu) / delta
            return -math.exp(log_density(z) - log_ndtr(-z)) / delta

        def drew(x: float, mu: float, delta: float) -> float:
            return -(x - mu) / delta**2

        return [won, self._tie(won, lost) if self.split_ties else drew, lost]

    def _tie(
        self,
        won: Callable[[float, float, float], float],
        lost: Callable[[float, float, float], float],
    ) -> Callable[[float, float, float], float]:
        share = 0.5 if self.split_ties else 1.0
        return lambda x, mu, delta: share * (won(x, mu, delta) + lost(x, mu, delta))

    def _update(self, person: Person, performance: float, beta: float) -> None:
        """Run algorithm 3, phase two."""
        person.p.append(performance)
        person.w.append(1 / beta**2)
        person.beta.append(beta)
        person.sigma = 1 / math.sqrt(sum(person.w))
        if self.normal:
            person.mu = sum(w * p for w, p in zip(person.w, person.p, strict=True)) / sum(person.w)
            return

        def slope(x: float) -> float:
            total = person.w[0] * (x - person.p[0])
            for p, w, b in zip(person.p[1:], person.w[1:], person.beta[1:], strict=True):
                total += w * b**2 / bar(b) * math.tanh((x - p) / (2 * bar(b)))
            return total

        person.mu = zero(slope, min(person.p) - 1, max(person.p) + 1)


def zero(f: Callable[[float], float], low: float, high: float) -> float:
    """Return the zero of ``f`` to the precision of a double."""
    return float(brentq(f, low, high, xtol=1e-12, rtol=1e-15, maxiter=500))  # type: ignore[no-untyped-call] # SciPy's
