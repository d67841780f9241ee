"""The frame: what holds for every endpoint, on a real server process."""

from api_server import Server, problem
from command_line import backoffice


def test_an_unknown_path_and_a_wrong_method_are_problem_documents(server: Server) -> None:
    problem(server.client.get("/v1/nothing"), 404, "not-found")
    problem(server.client.delete("/problems/refused"), 405, "method-not-allowed")


def test_a_path_names_the_methods_of_all_its_endpoints(server: Server) -> None:
    assert server.client.put("/v1/cases").headers["allow"] == "GET, POST"
    assert server.client.put("/v1/events").headers["allow"] == "GET"


def test_what_a_problem_means_can_be_looked_up(server: Server) -> None:
    told = server.client.get("/problems/refused").json()
    assert told == {"type": "/problems/refused", "title": "The house refuses this", "status": 409}
    problem(server.client.get("/problems/of-mine"), 404, "not-found")


def test_a_development_token_is_given_to_whoever_asks(server: Server) -> None:
    assert server.token("ann", "auditor").count(".") == 2
    asked = {"name": "ann", "roles": ["emperor"]}
    told = problem(server.client.post("/development/tokens", json=asked), 422, "invalid")
    assert told["errors"][0]["field"] == "roles.0"


def test_a_name_that_somebody_leads_to_this_machine_gets_no_token(server: Server) -> None:
    asked = {"name": "ann", "roles": ["administrator"]}
    foreign = server.client.post("/development/tokens", json=asked, headers={"Host": "evil.example"})
    assert foreign.status_code == 400


def test_development_mode_refuses_to_start_where_others_could_reach_it() -> None:
    for host in ("::", "192.0.2.1", "casino.example"):
        refused = backoffice("postgresql:///nowhere", "serve", "--development", "--host", host)
        assert refused.code == 2
        assert "only at a loopback address" in refused.err
