"""The study with joblib (pip install joblib): python with_joblib.py [FOLDER]"""

import sys

from joblib import Parallel, delayed
from joblib.externals.loky.process_executor import TerminatedWorkerError
from pendulums import report, study

if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else "parts"
    # A killed process ends the call. The parts in the folder remain, and the next call runs the others.
    for attempts_left in (2, 1, 0):
        chunks = study.chunks(seconds=0.2, folder=folder)
        try:
            Parallel(n_jobs=2)(delayed(study.write)(start, stop, folder, threads=1) for start, stop in chunks)
            break
        except TerminatedWorkerError:
            if not attempts_left:
                raise
    report(folder)
