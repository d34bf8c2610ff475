"""What a game is: YAML text in, a table of what dice are worth out; no files, no clock, no chance."""
