"""Five Card Stud, fixed limit (sheet 004, Estonian).

The introduction says four cards are open, the step-by-step text deals the last one face down: the default is up, and
a table may set `last_card = "down"`.
The sheet gives no number of seats; fifty of fifty-two cards deal ten hands.
"""

from backoffice.rules.book import PotBook

FIRST = PotBook(id="five-card-stud/1", sheet="004", seats=10)
