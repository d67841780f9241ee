"""What people read: exports, round stories and audits, reports, made from the log and the read tables. Changes nothing.

How a report is added:

1. A module of its own with a `Report` (see `report`): name, title, columns with their kinds, the projections it needs,
   and a function from a `Reading` to its rows, as a stream and in an order that is always the same.
2. Its line in `catalogue`. With that it can be asked for by `backoffice report NAME`, now or from the workers, and at
   `/v1/reports/NAME`, in every form. Where it tells of whoever else plays at a casino's tables, it says so (`tells_of_others`);
   where it tells of suspicions, too (`confidential`).
3. A test in tests/integration/reports: right rows, an empty period, two makings equal to the byte.

A reading is one snapshot in which the log and all needed read models are at one position. Rows are read by `reading.stream`
(a cursor of the server), days are cut by `reading.bounds(casino)` or `reading.calendars`, moments come from the table's time.
What a round has of several casinos is asked for row by row (`reading.is_asked`): they may count it to different days.
No report asks a clock: its time is that of its position. What a person should decide otherwise is `--only NAME=VALUE`.

Files for authorities (`regulators`) are no reports: they have numbers, replace each other, and are entered in the log.
"""
