"""Facts in, rows out: read tables redrawn from the log. Never evaluates a game rule, never sees a command."""
