"""The study with Ray (pip install ray): python with_ray.py [FOLDER]

On a cluster, `ray.init()` in a submitted job connects to the cluster. The folder must be on a shared file system.
"""

import sys
from pathlib import Path

import ray
from pendulums import report, study

folder = str(Path(sys.argv[1] if len(sys.argv) > 1 else "parts").absolute())


# Ray runs a task again after its worker was killed.
@ray.remote(num_cpus=1, max_retries=3)
def write(study, start, stop):
    return str(study.write(start, stop, folder, threads=1))


ray.init(num_cpus=2, include_dashboard=False, logging_level="warning")
# The study is sent to each node once.
shared = ray.put(study)
ray.get([write.remote(shared, start, stop) for start, stop in study.chunks(seconds=0.2, folder=folder)])
report(folder)
