"""What went otherwise than it should: taken back, decided by hand, refused, left unfinished. One report a module.

Casinos see their own rounds; days are those on which the exception happened, unless a report says otherwise.
"""
