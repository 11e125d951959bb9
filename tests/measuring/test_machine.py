"""What is read off a system's files."""

from pathlib import Path

import pytest

from app.measuring import machine
from app.measuring.blas import loaded_blas

MIB = 2**20


def write(root: Path, **files: str) -> Path:
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return root


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("AMD EPYC", "AMD EPYC"),
        ("Intel(R) Core(TM) i7-1165G7 CPU @ 2.80GHz", "Intel Core i7-1165G7"),
        ("x" * 200, "x" * 60),
    ],
)
def test_the_processor_has_its_plain_name(tmp_path: Path, told: str, name: str) -> None:
    write(tmp_path, proc__cpuinfo=f"processor\t: 0\nmodel name\t: {told}\nmodel name\t: another")
    assert machine.cpu_name(tmp_path) == name


def test_shared_caches_of_the_last_level_count_once(tmp_path: Path) -> None:
    for cpu in range(4):
        for index, (level, size, shared) in enumerate(
            [("1", "32K", f"{cpu}"), ("2", "1M", f"{cpu}"), ("3", "16384K", "0-1" if cpu < 2 else "2-3")]
        ):
            folder = tmp_path / f"sys/devices/system/cpu/cpu{cpu}/cache/index{index}"
            write(folder, level=level, size=size, shared_cpu_list=shared)
    assert machine.last_level_cache(tmp_path) == 2 * 16 * MIB


def test_the_limit_of_a_container_counts(tmp_path: Path) -> None:
    write(tmp_path, proc__meminfo="MemTotal: 8192 kB\nMemFree: 1 kB\nMemAvailable: 4096 kB")
    assert machine.memory(tmp_path) == (8 * MIB, 4 * MIB)
    folder = tmp_path / "sys/fs/cgroup"
    write(folder, **{"memory.max": "max", "memory.current": "77"})
    assert machine.memory(tmp_path) == (8 * MIB, 4 * MIB)
    write(folder, **{"memory.max": str(3 * MIB), "memory.current": str(MIB)})
    assert machine.memory(tmp_path) == (3 * MIB, 2 * MIB)


def test_where_nothing_is_told_there_are_modest_guesses(tmp_path: Path) -> None:
    total, free = machine.memory(tmp_path)
    assert free == total // 2 > 0
    assert machine.last_level_cache(tmp_path) > 0
    assert machine.cpu_name(tmp_path)


def test_this_machine_has_threads_and_memory() -> None:
    blas = loaded_blas()
    here = machine.this_machine(blas)
    assert here.threads == blas.threads >= 1
    assert 0 < here.free_bytes <= here.memory_bytes
    with blas.one_thread():
        assert loaded_blas().threads == 1
    assert loaded_blas().threads == blas.threads
