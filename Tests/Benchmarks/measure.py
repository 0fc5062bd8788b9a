"""Runs pipelines of programs and tells what they took."""

import os
import statistics
import subprocess
import threading
import time
from dataclasses import dataclass, field


@dataclass
class Run:
    """One run: seconds of the clock, of the processors, and the most memory in bytes."""

    wall: float
    cpu: float
    memory: int


@dataclass
class Runs:
    """All runs of one pipeline, and the bytes it makes."""

    runs: list = field(default_factory=list)
    size: int = 0

    def median(self, name):
        return statistics.median(getattr(run, name) for run in self.runs)

    @property
    def wall(self):
        return self.median("wall")

    @property
    def cpu(self):
        return self.median("cpu")

    @property
    def memory(self):
        """The most that any run needed."""
        return max(run.memory for run in self.runs)


def run_pipeline(commands, folder, output=None):
    """Runs commands joined by pipes; the last writes to the file `output`, or to /dev/null.

    Time of the processors is wait4's, summed over all processes. Memory is the sum of each
    process' own peak. On Linux that is VmHWM, looked at every 20 ms: wait4's ru_maxrss counts what
    the parent had when it forked, which is more than tar needs in all. Elsewhere it is ru_maxrss.
    """
    started = time.monotonic()
    processes, source = [], subprocess.DEVNULL
    for index, command in enumerate(commands):
        is_last = index == len(commands) - 1
        sink = open(output or os.devnull, "wb") if is_last else subprocess.PIPE
        process = subprocess.Popen(
            command, cwd=folder, stdin=source, stdout=sink, stderr=subprocess.DEVNULL)
        if source != subprocess.DEVNULL:
            source.close()
        source = process.stdout
        if is_last:
            sink.close()
        processes.append(process)
    peaks, done = {}, threading.Event()
    watcher = threading.Thread(target=watch, args=([p.pid for p in processes], peaks, done))
    watcher.start()
    cpu, fallback = 0.0, 0
    for process in processes:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        cpu += usage.ru_utime + usage.ru_stime
        fallback += usage.ru_maxrss * (1 if os.uname().sysname == "Darwin" else 1024)
    wall = time.monotonic() - started
    done.set()
    watcher.join()
    for command, process in zip(commands, processes):
        if process.returncode != 0:
            raise SystemExit(f"bench: {' '.join(map(str, command))}: exit {process.returncode}")
    memory = sum(peaks.values()) if len(peaks) == len(processes) else fallback
    return Run(wall, cpu, memory)


def watch(pids, peaks, done):
    """Keeps the peaks of resident memory of processes until `done`."""
    while True:
        for pid in pids:
            try:
                with open(f"/proc/{pid}/status", "rb") as status:
                    for line in status:
                        if line.startswith(b"VmHWM:"):
                            peaks[pid] = int(line.split()[1]) * 1024
            except OSError:
                pass
        if done.wait(0.02):
            return


def start_time(command, count):
    """The median and the least seconds from starting a program until it has ended."""
    times = []
    null = os.open(os.devnull, os.O_WRONLY)
    for _ in range(count):
        started = time.perf_counter()
        pid = os.posix_spawn(
            command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
        _, status = os.waitpid(pid, 0)
        times.append(time.perf_counter() - started)
        if status != 0:
            raise SystemExit(f"bench: {command[0]}: status {status}")
    os.close(null)
    return statistics.median(times), min(times)
