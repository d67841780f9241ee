"""Files for authorities: which were produced, under which number, from which place in the log. The bytes stay outside."""
