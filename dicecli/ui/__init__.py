"""What people see: the only place with words, streams, prompts and colours."""
