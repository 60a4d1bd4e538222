"""The study with MPI (pip install mpi4py mpich): mpiexec -n 3 python with_mpi4py.py [FOLDER]

The process 0 distributes the parts. A killed process ends the job: start it again, and it runs the missing parts.
"""

import sys
from functools import partial

from mpi4py.futures import MPICommExecutor
from pendulums import report, study

folder = sys.argv[1] if len(sys.argv) > 1 else "parts"
with MPICommExecutor() as executor:
    if executor is not None:
        chunks = study.chunks(seconds=0.2, folder=folder)
        write = partial(study.write, folder=folder, threads=1)
        list(executor.map(write, *zip(*chunks, strict=True)))
        report(folder)
