"""The Celery door: clock and muscle beside the log, holding no truth of their own."""
