#!/bin/bash
#SBATCH --array=0-15
#SBATCH --cpus-per-task=4
#SBATCH --time=01:00:00
#SBATCH --requeue
# The study as a job array: sbatch slurm_array.sh
# A task writes a file each minute. After a requeue it runs the missing samples. This command writes all rows to one file:
#     python -m liemech.study collect pendulums.py --folder parts --out pendulums.csv
exec python -m liemech.study run pendulums.py --folder parts --threads "${SLURM_CPUS_PER_TASK:-1}" \
    --part "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
