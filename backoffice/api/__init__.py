"""The HTTP API: what table systems, operators and auditors ask over the network. A thin door over the app and the reports.

What lives here: routers, who is asking (`principals`), what they may (`rights`), how a no looks (`problems`). What never
does: a rule of any game, a decision, SQL that changes anything.

A router is added by a line in `routers.ROUTERS`. Each of its endpoints demands a right, by
`Annotated[Principal, demands(Right.READ_BOOKS)]`; an endpoint that needs none is named in `rights.OPEN`. Who holds which
right is one table, `rights.HOLDERS`. The right says what a principal may do, not where: an endpoint that shows something
looks itself at which casinos they work (`Principal.works_at`), and whoever hands a request in gives it its visit
(`TheVisit`): by that it is kept to their casinos in the commit itself, and leaves evidence. A no is raised as a `Problem`
of one of the kinds of `problems.Kind`; an endpoint names those it may answer with by `responses=documented(...)`.
"""
