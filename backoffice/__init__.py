"""An event-sourced casino back office: one log of facts, everything else redrawn from it."""
