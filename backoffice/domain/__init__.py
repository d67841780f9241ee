"""What follows from what: commands are decided into facts, facts fold into states. Pure: no clock, no database, no network."""
