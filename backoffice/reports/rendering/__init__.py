"""The forms in which reports go out: for people, for programs, for table calculators. Each streams, none counts anything."""
