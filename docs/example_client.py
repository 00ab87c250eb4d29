"""Open a table of Stupide Vautour, fill it with bots, and play it to the end over HTTP.

python docs/example_client.py http://localhost:8000
"""

import json
import random
import sys
import time
import urllib.request
from typing import Any


class Table:
    """A guest at one table, with nothing but the standard library."""

    def __init__(self, server: str, game: str, seats: int) -> None:
        self.server = server
        self.token = ""
        self.token = self.call("POST", "/api/guests", {"name": "Script"})["token"]
        self.id = self.call("POST", "/api/tables", {"game": game, "seats": seats})["id"]
        self.requests = 0

    def call(self, method: str, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        request = urllib.request.Request(self.server + path, data, headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read())

    def do(self, command: str, **values: object) -> None:
        """Do something at the table; the id makes a repeated request harmless."""
        self.requests += 1
        body = {"id": str(self.requests), "command": {"do": command, **values}}
        self.call("POST", f"/api/tables/{self.id}/commands", body)

    def match(self) -> Any:
        return self.call("GET", f"/api/tables/{self.id}")["match"]


def main(server: str) -> None:
    table = Table(server, "stupide_vautour", seats=2)
    table.do("start")  # bots take the empty seats
    while not (match := table.match())["over"]:
        if match["legal"]:
            table.do("play", move=random.choice(match["legal"]))
        time.sleep(0.05)
    print("scores", match["scores"], "winners", match["winners"])


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8000")
