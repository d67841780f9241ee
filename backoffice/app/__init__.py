"""Use cases: requests decided under the log's lock in shared commits, with evidence; reactions, imports, orders, keys."""
