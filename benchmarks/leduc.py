"""Leduc hold'em of other projects, for `learning`: run in an environment of its own.

`python leduc.py pgx` or `python leduc.py pettingzoo` says "ready" once everything is compiled. Then
it answers every line that it reads with a number: how many steps it has made.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

MATCHES = 4096  # stepped together, as ours are
STEPS = 200
LEDUC_MATCHES = 200  # of PettingZoo, which steps one at a time


def pgx() -> Callable[[], int]:
    """Every step is a call that takes a random legal action and has the observation made."""
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
    os.environ["JAX_PLATFORMS"] = "cpu"
    jax: Any = import_module("jax")
    env: Any = import_module("pgx").make("leduc_holdem")
    auto_reset: Any = import_module("pgx.experimental.wrappers").auto_reset
    step = jax.vmap(auto_reset(env.step, env.init))

    def move(state: Any, key: Any) -> tuple[Any, Any]:
        key, chosen, reset = jax.random.split(key, 3)
        likely = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        actions = jax.random.categorical(chosen, likely, axis=-1)
        return step(state, actions, jax.random.split(reset, MATCHES)), key

    compiled = jax.jit(move, donate_argnums=0)
    key = jax.random.PRNGKey(1)
    kept = [jax.jit(jax.vmap(env.init))(jax.random.split(key, MATCHES)), key]

    def job() -> int:
        for _ in range(STEPS):
            kept[:] = compiled(*kept)
        kept[0].observation.block_until_ready()
        return STEPS * MATCHES

    return job


def pettingzoo() -> Callable[[], int]:
    """Its own loop over agents, with a random legal action of the mask."""
    env: Any = import_module("pettingzoo.classic.leduc_holdem_v4").env()

    def job() -> int:
        steps = 0
        for seed in range(LEDUC_MATCHES):
            env.reset(seed=seed)
            for agent in env.agent_iter():
                seen, _, ended, cut, _ = env.last()
                is_over = ended or cut
                env.step(None if is_over else env.action_space(agent).sample(seen["action_mask"]))
                steps += not is_over
        return steps

    return job


def main() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # one thread, as ours
    job = {"pgx": pgx, "pettingzoo": pettingzoo}[sys.argv[1]]()
    job()
    print("ready", flush=True)
    for _ in sys.stdin:
        print(job(), flush=True)


if __name__ == "__main__":
    main()
