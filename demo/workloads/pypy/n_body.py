"""Moves bodies under their mutual gravity, step by step."""

from __future__ import annotations

from collections.abc import Callable

from demo.workloads.pypy.dice import Dice


class Body:
    def __init__(self, dice: Dice) -> None:
        self.x, self.y, self.z = (dice.below(2000) / 100 - 10 for _ in range(3))
        self.vx, self.vy, self.vz = (dice.below(200) / 1000 - 0.1 for _ in range(3))
        self.mass = 0.1 + dice.below(100) / 100


def pull(a: Body, b: Body, dt: float) -> None:
    dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
    strength = dt / (dx * dx + dy * dy + dz * dz + 0.01) ** 1.5
    a.vx -= dx * b.mass * strength
    a.vy -= dy * b.mass * strength
    a.vz -= dz * b.mass * strength
    b.vx += dx * a.mass * strength
    b.vy += dy * a.mass * strength
    b.vz += dz * a.mass * strength


def make(bodies: int, steps: int) -> Callable[[int], int]:
    dice = Dice(1)
    system = [Body(dice) for _ in range(bodies)]

    def step(dt: float) -> None:
        for k, a in enumerate(system):
            for b in system[k + 1 :]:
                pull(a, b, dt)
        for body in system:
            body.x += dt * body.vx
            body.y += dt * body.vy
            body.z += dt * body.vz

    def run(i: int) -> int:
        for _ in range(steps):
            step(0.001)
        return int(abs(system[i % bodies].x) * 1000)

    return run
