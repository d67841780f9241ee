"""What can be asked of the read tables, a page at a time; every answer says at which position it was read.

What lives here: one module a subject, `paging` for all of them. Each query takes
a connection that shows one moment (`snapshot`) and a scope, and is bounded: by an index in the order of its pages, or by
how many rows it looks at for one page.
"""
