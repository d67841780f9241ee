"""Use cases: requests decided under the log's lock in shared commits, with evidence; reactions, feed import, orders of long files, keys."""
