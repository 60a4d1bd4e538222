"""Parameter studies: many runs of one model, in threads, on any engine for tasks, or as a job array.

A :class:`Study` is picklable. Its unit of work is a range of samples, so that multiprocessing, joblib, Ray, Dask and MPI can distribute it:
``study.run(start, stop)`` returns arrays, and ``study.write(start, stop, folder)`` writes one file. Files are written atomically under a name
of the study's hash and the range. A repeated task finds its file and does nothing. The folder ``examples/python/studies`` has one program for
each engine.

A job array runs ``python -m liemech.study run FILE --part i/n --folder FOLDER``, where ``FILE`` is a Python file with a variable ``study``.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import importlib.util
import inspect
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal, cast
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ._errors import LiemechError
from ._model import Model, Values, snapshot
from ._run import Run, arrow_table

Measure = Callable[[Run], float]
Table = dict[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Study:
    """Many runs of one model.

    Parameters
    ----------
    model
        The model.
    samples
        A table of arrays with one entry for each sample, or a function of the seed and the index of a sample that returns values by name.
        Names are parameters, or ``q.member`` and ``v.member`` for initial values.
    measures
        The measured values: functions of a :class:`Run`, or names of values at the end of the run, such as ``"position.z"``.
    settings
        The arguments of :meth:`Model.simulate` that all runs share, including ``parameters``, ``q0`` and ``v0``.
    count
        The number of samples; required if ``samples`` is a function.
    seed
        The seed of the function.

    Functions must be defined in an importable module if a study is pickled. A table is a part of the pickle, so that large studies need a
    function.
    """

    model: Model
    samples: Mapping[str, Any] | Callable[[int, int], Values]
    measures: Mapping[str, Measure | str] | Sequence[str]
    settings: Mapping[str, Any]
    count: int = -1
    seed: int = 0
    _hash: str = field(default="", init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        count = self.count
        if not callable(self.samples):
            lengths = {name: len(values) for name, values in self.samples.items()}
            if len(set(lengths.values())) != 1:
                raise ValueError(f"the columns of the samples must have one common length, and their lengths are {lengths}")
            known = next(iter(lengths.values()))
            if count not in (-1, known):
                raise ValueError(f"the table has {known} samples, and count={count}")
            count = known
        elif count < 0:
            raise ValueError("set count=..., the number of samples of the function")
        if reserved := {"index", "error"} & self._measures().keys():
            raise ValueError(f"`{reserved.pop()}` is a column of every study; give the measure another name")
        object.__setattr__(self, "count", count)
        # The hash belongs to these values, and the caller can change its arrays.
        object.__setattr__(self, "settings", snapshot(self.settings))
        if not callable(self.samples):
            object.__setattr__(self, "samples", snapshot(self.samples))
        object.__setattr__(self, "_hash", self._digest())

    @property
    def hash(self) -> str:
        """The hash of the model, the samples, the measures and the settings: 16 hexadecimal digits."""
        return self._hash

    def _digest(self) -> str:
        samples: Any = self.samples
        if not callable(samples):
            samples = {name: np.asarray(values).tolist() for name, values in samples.items()}
        source = self.model._source
        # The declaration of a robot contains its included files.
        parts = [source.text, source.language, source.options, self.model.declaration, samples, self._measures(), dict(self.settings), self.count, self.seed]
        return hashlib.sha256(_canonical(parts).encode()).hexdigest()[:16]

    def _measures(self) -> dict[str, Measure | str]:
        if isinstance(self.measures, Mapping):
            return dict(self.measures)
        return {name: name for name in self.measures}

    def sample(self, index: int) -> dict[str, Any]:
        """Returns the values of a sample by name."""
        if callable(self.samples):
            return dict(self.samples(self.seed, index))
        return {name: values[index] for name, values in self.samples.items()}

    def simulate(self, index: int) -> Run:
        """Runs one sample."""
        settings = dict(self.settings)
        groups: dict[str, dict[str, Any]] = {
            name: dict(settings.pop(name, None) or {}) for name in ("parameters", "q0", "v0")
        }
        for name, value in self.sample(index).items():
            head, _, rest = name.partition(".")
            group = {"q": "q0", "v": "v0"}.get(head) if rest else None
            groups[group or "parameters"][rest if group else name] = value
        return self.model.simulate(**groups, **settings)

    def _row(self, index: int) -> tuple[list[Any], str]:
        measures = self._measures()
        try:
            run = self.simulate(index)
            values = {
                name: np.asarray(run[measure][-1] if isinstance(measure, str) else measure(run))
                for name, measure in measures.items()
            }
        except LiemechError as error:
            return [np.nan] * len(measures), f"{type(error).__name__}: {error}"
        for name, value in values.items():
            if value.dtype.kind not in "biuf":
                raise TypeError(f"the measure {name!r} is a number or an array of numbers, and it returned {value!r}")
        return list(values.values()), ""

    def run(self, start: int = 0, stop: int | None = None, *, threads: int | None = None) -> Table:
        """Runs the samples from ``start`` to ``stop``, without ``stop``, in threads; one for each core by default.

        Returns arrays by name: ``index``, one array for each measure, and ``error``. A failed run is a row with NaN and the text of its error.
        The result does not depend on the number of threads.
        """
        stop = self.count if stop is None else stop
        if not 0 <= start <= stop <= self.count:
            raise ValueError(f"the range {start} to {stop} is not within 0 to {self.count}")
        workers = threads or _cores()
        if workers == 1:
            rows = [self._row(index) for index in range(start, stop)]
        else:
            pool = ThreadPoolExecutor(workers)
            try:
                rows = list(pool.map(self._row, range(start, stop)))
            finally:
                # After an interrupt, runs that have not started are cancelled.
                pool.shutdown(wait=False, cancel_futures=True)
        table: Table = {"index": np.arange(start, stop)}
        for at, name in enumerate(self._measures()):
            failed = next((values[at] for values, error in rows if not error), np.nan)
            shape = np.shape(failed)
            column = [values[at] if not error else np.full(shape, np.nan) for values, error in rows]
            if shapes := {np.shape(value) for value in column} - {shape}:
                raise ValueError(f"the measure {name!r} must return arrays of one shape, and it returned {shape} and {shapes.pop()}")
            table[name] = np.array(column, dtype=float).reshape(len(rows), *shape)
        table["error"] = np.array([error for _, error in rows], dtype=str)
        return table

    def chunks(
        self, seconds: float = 5.0, *, folder: str | os.PathLike[str] | None = None, part: tuple[int, int] = (0, 1)
    ) -> list[tuple[int, int]]:
        """Divides the samples into ranges that take about this time on one core. It measures a few runs.

        With ``folder``, samples that have a file in this folder are omitted. With ``part=(i, n)``, only part i of n is divided.

        Compute the ranges once and distribute them: they depend on the measured time.
        """
        if not seconds > 0.0:
            raise ValueError(f"the duration of a range must be positive, and seconds={seconds!r} is given")
        done = [] if folder is None else [(start, stop) for start, stop, _ in self._files(folder)]
        missing = list(_missing(done, *self.part(*part)))
        if not missing:
            return []
        begin, measured, (first, last) = time.perf_counter(), 0, missing[0]
        while measured < min(last - first, 20) and (measured == 0 or time.perf_counter() - begin < 0.1):
            self._row(first + measured)
            measured += 1
        size = max(1, int(seconds * measured / (time.perf_counter() - begin)))
        return [(at, min(at + size, stop)) for start, stop in missing for at in range(start, stop, size)]

    def part(self, number: int, of: int) -> tuple[int, int]:
        """Returns the range of one of several equal parts; ``number`` starts at 0."""
        if not 0 <= number < of:
            raise ValueError(f"part {number} is not within 0 to {of - 1}")
        return self.count * number // of, self.count * (number + 1) // of

    def write(
        self,
        start: int,
        stop: int,
        folder: str | os.PathLike[str],
        *,
        threads: int | None = None,
        format: Literal["npz", "parquet"] = "npz",
    ) -> Path:
        """Runs a range and writes it to a file in this folder, unless the file exists. Returns its path.

        The file appears when it is complete: a killed task leaves no partial result. The format ``"parquet"`` requires ``pyarrow``.
        """
        if f".{format}" not in _FORMATS:
            raise ValueError(f"the format {format!r} is unknown; use 'npz' or 'parquet'")
        target = Path(folder) / f"{self.hash}-{start:09}-{stop:09}.{format}"
        if target.exists():
            return target
        save, _ = _FORMATS[target.suffix]
        target.parent.mkdir(parents=True, exist_ok=True)
        table = self.run(start, stop, threads=threads)
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".part-", suffix=".tmp", delete=False) as file:
            try:
                save(file, table)
                file.flush()
                os.fsync(file.fileno())
                os.replace(file.name, target)
            except BaseException:
                os.unlink(file.name)
                raise
        return target

    def collect(self, folder: str | os.PathLike[str], *, allow_missing: bool = False) -> Table:
        """Returns the rows of all files of this study in a folder, sorted by index.

        Raises ``FileNotFoundError`` with the missing ranges, unless ``allow_missing`` is set.
        """
        files = self._files(folder)
        missing = list(_missing([(start, stop) for start, stop, _ in files], 0, self.count))
        if missing and not allow_missing:
            ranges = ", ".join(f"{start} to {stop}" for start, stop in missing)
            raise FileNotFoundError(f"{folder} has no rows for the samples {ranges} of the study {self.hash}")
        if not files:
            return self.run(0, 0)
        parts = [_loaded(path) for _, _, path in files]
        _, first = np.unique(np.concatenate([part["index"] for part in parts]), return_index=True)
        return {name: _stacked([part[name] for part in parts])[first] for name in parts[0]}

    def _files(self, folder: str | os.PathLike[str]) -> list[tuple[int, int, Path]]:
        """Returns the ranges and the paths of the files of this study."""
        paths = [path for path in Path(folder).glob(f"{self.hash}-*-*") if path.suffix in _FORMATS]
        return sorted((*map(int, path.stem.split("-")[1:]), path) for path in paths)  # type: ignore[misc]


def _loaded(path: Path) -> Table:
    try:
        return _FORMATS[path.suffix][1](path)
    except (ValueError, EOFError, BadZipFile) as error:
        raise ValueError(f"{path} is damaged; delete it, and run its samples again: {error}") from error


def _stacked(columns: list[NDArray[Any]]) -> NDArray[Any]:
    """Joins columns; a part with failed runs only has NaN instead of arrays."""
    shape = max((column.shape[1:] for column in columns), key=len)
    full = [column if column.shape[1:] == shape else np.full((len(column), *shape), np.nan) for column in columns]
    return np.concatenate(full)


def _missing(done: list[tuple[int, int]], start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Returns the ranges from ``start`` to ``stop`` that are not done."""
    for first, last in [*sorted(done), (stop, stop)]:
        if start < min(first, stop):
            yield start, min(first, stop)
        start = max(start, last)


def _save_npz(file: IO[bytes], table: Table) -> None:
    np.savez(file, **cast(Any, table))


def _load_npz(path: Path) -> Table:
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


def _save_parquet(file: IO[bytes], table: Table) -> None:
    import pyarrow.parquet

    pyarrow.parquet.write_table(arrow_table(table), file)


def _load_parquet(path: Path) -> Table:
    import pyarrow.parquet

    def array(column: Any) -> NDArray[Any]:
        column = column.combine_chunks()
        if hasattr(column, "to_numpy_ndarray"):
            return cast(NDArray[Any], column.to_numpy_ndarray())
        values = column.to_numpy(zero_copy_only=False)
        return cast(NDArray[Any], values.astype(str) if values.dtype == object else values)

    table = pyarrow.parquet.read_table(path)
    return {name: array(table[name]) for name in table.column_names}


_FORMATS: dict[str, tuple[Callable[[IO[bytes], Table], None], Callable[[Path], Table]]] = {
    ".npz": (_save_npz, _load_npz),
    ".parquet": (_save_parquet, _load_parquet),
}


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _canonical(value: Any) -> str:
    """Returns a text that is equal for equal values, also in another process."""
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{key!r}:{_canonical(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_canonical, value)) + "]"
    if isinstance(value, np.ndarray):
        return _canonical(value.tolist())
    if isinstance(value, np.generic):
        return repr(value.item())
    if value is None or isinstance(value, (str, int, float, bool)):
        return repr(value)
    if isinstance(value, functools.partial):
        return _canonical([value.func, value.args, value.keywords])
    if inspect.isfunction(value):
        # Functions of one text can have different defaults and different variables of an outer function.
        cells = [cell.cell_contents for cell in value.__closure__ or () if cell.cell_contents is not value]
        return _source_of(value) + _canonical([value.__defaults__, value.__kwdefaults__, cells])
    if inspect.isroutine(value) or inspect.isclass(value):
        return _source_of(value)
    text = _source_of(type(value)) if callable(value) else ""
    return text + hashlib.sha256(pickle.dumps(value)).hexdigest()


def _source_of(value: Any) -> str:
    try:
        return inspect.getsource(value)
    except (OSError, TypeError):
        return f"{value.__module__}.{value.__qualname__}"


def load(path: str | os.PathLike[str]) -> Study:
    """Returns the variable ``study`` of a Python file."""
    name = Path(path).stem
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{os.fspath(path)} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    study = getattr(module, "study", None)
    if not isinstance(study, Study):
        raise ImportError(f"{os.fspath(path)} has no variable `study` of the type liemech.study.Study")
    return study


def _fraction(text: str) -> tuple[int, int]:
    number, _, of = text.partition("/")
    try:
        return int(number), int(of)
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text}` is not a part such as 3/16") from None


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser(prog="python -m liemech.study", description="Runs parts of a study, and collects them.")
    commands = parser.add_subparsers(dest="command", required=True)
    runner = commands.add_parser("run", help="runs the samples of one part that have no file, and writes files")
    collector = commands.add_parser("collect", help="writes all rows to one CSV file")
    for command in (runner, collector):
        command.add_argument("file", help="a Python file with a variable `study`")
        command.add_argument("--folder", default="parts", help="the folder of the files (default: parts)")
    runner.add_argument("--part", type=_fraction, default=(0, 1), metavar="i/n", help="part i of n, i starts at 0 (default: 0/1)")
    runner.add_argument("--threads", type=int, default=None, help="the number of threads (default: all cores)")
    runner.add_argument("--seconds", type=float, default=60.0, help="about the time between two files (default: 60)")
    runner.add_argument("--format", choices=["npz", "parquet"], default="npz", help="the format of the files (default: npz)")
    collector.add_argument("--out", default="study.csv", help="the CSV file (default: study.csv)")
    given = parser.parse_args(arguments)
    study = load(given.file)
    if given.command == "run":
        threads = given.threads or _cores()
        for chunk in study.chunks(given.seconds * threads, folder=given.folder, part=given.part):
            print(study.write(*chunk, given.folder, threads=threads, format=given.format), flush=True)
    else:
        _write_csv(study.collect(given.folder), given.out)
        print(given.out)


def _write_csv(table: Table, path: str) -> None:
    import csv

    columns: dict[str, list[Any]] = {}
    for name, values in table.items():
        for index in np.ndindex(values.shape[1:]):
            columns[name + "".join(f"[{at}]" for at in index)] = values[(slice(None), *index)].tolist()
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))


if __name__ == "__main__":
    # Files import this module under its name, and classes of `__main__` are other classes.
    from liemech.study import main as run_command

    run_command()
