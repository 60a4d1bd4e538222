"""The study in processes of the standard library: python with_multiprocessing.py [FOLDER]"""

import sys
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context

from pendulums import report, study

if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else "parts"
    write = partial(study.write, folder=folder, threads=1)
    # A killed process ends its pool. The parts in the folder remain, and the next pool runs the others.
    for attempts_left in (2, 1, 0):
        chunks = study.chunks(seconds=0.2, folder=folder)
        try:
            with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
                list(pool.map(write, *zip(*chunks, strict=True)))
            break
        except BrokenProcessPool:
            if not attempts_left:
                raise
    report(folder)
