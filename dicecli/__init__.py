"""dicecli: a dice-game table for the terminal and a dice tool for scripts; every game is a YAML file."""
