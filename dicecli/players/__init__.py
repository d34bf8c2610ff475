"""Who decides: players that choose an action from a table and a state, and nothing else."""
