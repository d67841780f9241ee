"""What people read: exports, round stories and audits, made from the log and the read tables. Changes nothing."""
