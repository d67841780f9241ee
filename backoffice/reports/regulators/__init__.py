"""Files for the authorities of Denmark, Greece and Malta: one module a file, element names as their schemas have them.

What comes in are rows of the read models up to one position of the log, the casino's particulars and the register of
what was produced before; what goes out are the bytes. Nothing here decides a number, or moves money.
"""
