"""The commands: one file a group; each parses, calls, renders and exits."""
