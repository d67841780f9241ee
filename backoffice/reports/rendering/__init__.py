"""The forms in which reports go out: text for a terminal, CSV, JSON, HTML to be printed. Each streams, none counts anything."""
