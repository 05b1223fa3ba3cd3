"""What this machine's processor does well: threads and bfloat16."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

CPUINFO = "/proc/cpuinfo"


def fast_bfloat16(cpuinfo: str = CPUINFO) -> bool:
    """Whether the processor multiplies bfloat16 by itself. Where it does not, torch imitates it ten times slower than float32."""
    try:
        with open(cpuinfo) as lines:
            flags = next((line for line in lines if line.startswith("flags")), "").split()
    except OSError:
        return False
    return "avx512_bf16" in flags or "amx_bf16" in flags


def _limit_threads(count: int) -> None:
    import torch

    torch.set_num_threads(count)


def at_once(jobs: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run jobs side by side in processes of their own, the cores shared out; two of one thread are faster than one of two."""
    threads = max(1, (os.cpu_count() or 1) // len(jobs))
    with ProcessPoolExecutor(len(jobs), get_context("spawn"), _limit_threads, (threads,)) as pool:
        return [future.result() for future in [pool.submit(job) for job in jobs]]
