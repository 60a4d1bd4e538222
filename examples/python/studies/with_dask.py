"""The study with Dask (pip install distributed): python with_dask.py [FOLDER]

On a cluster, `Client("tcp://scheduler:8786")` connects to its scheduler, and `client.upload_file("pendulums.py")` sends the study.
"""

import sys
from pathlib import Path

from distributed import Client, LocalCluster
from pendulums import report, study

if __name__ == "__main__":
    folder = str(Path(sys.argv[1] if len(sys.argv) > 1 else "parts").absolute())
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        # Dask starts a killed worker again, and repeats its tasks.
        chunks = study.chunks(seconds=0.2, folder=folder)
        client.gather([client.submit(study.write, start, stop, folder, threads=1) for start, stop in chunks])
    report(folder)
