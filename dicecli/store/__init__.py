"""What lasts: the ruleset files, shipped and the user's own."""
