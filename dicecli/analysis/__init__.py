"""What is best: exact chances, best play, many games at once. Numbers only; numpy is imported here and nowhere else."""
