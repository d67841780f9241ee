"""Accounting files: the ledger in an accountant's own chart of accounts, as tables and as journals that other programs check.

What lives here: the chart and how accounts are mapped to it, lines of the ledger dated by each casino's calendar, the
journal, general ledger and trial balance as reports, and journals for Beancount, hledger and SAF-T. Everything is read
from one snapshot, at one position of the log, as a stream.
"""
