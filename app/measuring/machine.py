"""This machine as its system describes it: processor, caches, memory, and the threads that BLAS has."""

import platform
import re
import subprocess
from pathlib import Path
from typing import Final, NamedTuple

from app.measuring.blas import Blas

ROOT: Final = Path("/")
_KIB: Final = 1024
_UNITS: Final = {"K": _KIB, "M": _KIB**2, "G": _KIB**3}
_UNKNOWN_CACHE: Final = 32 * _KIB**2
_UNKNOWN_MEMORY: Final = 4 * _KIB**3


class Machine(NamedTuple):
    """What there is to measure on."""

    cpu: str
    blas: str
    threads: int  # of BLAS
    cache_bytes: int  # all last-level caches together
    memory_bytes: int
    free_bytes: int  # that a process may still take, by the system and by its container


def this_machine(blas: Blas) -> Machine:
    """What can be found out without measuring."""
    total, free = memory()
    return Machine(cpu_name(), blas.name, blas.threads, last_level_cache(), total, free)


def cpu_name(root: Path = ROOT) -> str:
    """The processor's name without trade marks and clock, "unknown processor" where nobody tells."""
    found = re.search(r"^model name\s*:\s*(.+)$", _read(root / "proc/cpuinfo"), re.MULTILINE)
    name = found[1] if found else _sysctl("machdep.cpu.brand_string") or platform.processor()
    name = re.sub(r"\((?:R|TM|C)\)|\bCPU\b|@.*", " ", name, flags=re.IGNORECASE)
    return " ".join(name.split())[:60] or "unknown processor"


def last_level_cache(root: Path = ROOT) -> int:
    """The bytes of all caches of the highest level; 32 MiB where nobody tells."""
    found: dict[tuple[int, str], int] = {}  # by level and the processors that share one
    for index in root.glob("sys/devices/system/cpu/cpu[0-9]*/cache/index[0-9]*"):
        level, shared = _read(index / "level"), _read(index / "shared_cpu_list")
        size = re.fullmatch(r"(\d+)([KMG]?)", _read(index / "size"))
        if level.isdigit() and size:
            found[int(level), shared] = int(size[1]) * _UNITS.get(size[2], 1)
    last = max((level for level, _ in found), default=0)
    known = sum(size for (level, _), size in found.items() if level == last)
    return known or _sysctl_number("hw.l3cachesize", "hw.perflevel0.l2cachesize") or _UNKNOWN_CACHE


def memory(root: Path = ROOT) -> tuple[int, int]:
    """All memory, and how much of it is free; half of it where nobody tells. A container's limit counts."""
    told = dict(
        re.findall(r"^(MemTotal|MemAvailable):\s+(\d+) kB$", _read(root / "proc/meminfo"), re.MULTILINE)
    )
    total = int(told.get("MemTotal", 0)) * _KIB or _sysctl_number("hw.memsize") or _UNKNOWN_MEMORY
    free = int(told["MemAvailable"]) * _KIB if "MemAvailable" in told else total // 2
    limit, used = (_read(root / "sys/fs/cgroup" / name) for name in ("memory.max", "memory.current"))
    if limit.isdigit():
        total = min(total, int(limit))
        free = min(free, total - int(used) if used.isdigit() else total // 2)
    return total, max(free, 0)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _sysctl_number(*names: str) -> int:
    return next((int(text) for text in map(_sysctl, names) if text.isdigit()), 0)


def _sysctl(name: str) -> str:
    """What macOS says; elsewhere nothing."""
    if platform.system() != "Darwin":
        return ""
    told = subprocess.run(  # noqa: S603 (names from this file only)
        ["/usr/sbin/sysctl", "-n", name],
        capture_output=True,
        text=True,
        check=False,
    )
    return told.stdout.strip()
