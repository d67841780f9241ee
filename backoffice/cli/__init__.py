"""The command line: a thin door over the app and the reports."""
