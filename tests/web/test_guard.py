"""Requests that no page of the server sends: garbage, other sites, floods, incomplete requests."""

from __future__ import annotations

import json
import random
import socket
import time

import httpx
import pytest

from sfida.web.guard import Buckets, Limits
from support.served import Served, serving


def refused(answer: httpx.Response, status: int) -> str:
    assert answer.status_code == status, answer.text
    (error,) = answer.json().values()
    assert list(answer.json()) == ["error"]
    assert error
    assert "\n" not in error
    return str(error)


def test_the_start_page_is_for_the_host(served: Served) -> None:
    guest = served.guest()
    for path in ("/", "/api/home", "/?key=", "/?key=x", "/?key=" + "é" * 20):
        assert "sfida serve" in refused(guest.get(path), 403)
    assert "sfida serve" in refused(guest.post("/api/tables", json={"game": "tic_tac_toe"}), 403)
    answer = guest.get(served.server.addresses[0])
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert guest.get("/api/home").status_code == 200


def test_every_answer_has_a_policy(served: Served) -> None:
    for path in ("/api/home", "/nowhere", "/api/table/x/scene"):
        headers = served.client.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
    refused(served.client.get("/", headers={"host": "evil.example"}), 421)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil", "", "a@127.0.0.1", "[::1",
                                  "127.0.0.1:x", "192.168.1.5"])
def test_other_hosts_are_refused(served: Served, host: str) -> None:
    refused(served.client.get("/api/home", headers={"host": host}), 421)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", ""])
def test_other_origins_are_refused(served: Served, origin: str) -> None:
    body = {"game": "tic_tac_toe", "seats": ["human", "human"]}
    refused(served.client.post("/api/tables", json=body, headers={"origin": origin}), 403)
    refused(served.client.post("/api/tables", json=body, headers={"sec-fetch-site": "cross-site"}), 403)
    assert served.client.get("/api/home").json()["tables"] == []
    same = served.client.post("/api/tables", json=body, headers={"origin": served.url, "sec-fetch-site": "same-origin"})
    assert same.status_code == 200


def test_only_json_is_taken(served: Served) -> None:
    host = served.host("tic_tac_toe", "human", "human")
    address = f"{host.base}/play"
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        refused(served.client.post(address, content=b"{}", headers={"content-type": kind}), 415)
    headers = {"content-type": "application/json"}
    for content in (b"", b"{", b"[]", b"5", b"null", b"\xff\xfe", b"{}{}", b'{"version":1,"version":2}',
                    b"[" * 100_000, b'{"version":' + b"9" * 5000 + b"}", b'{"version":NaN,"move":"b2"}'):
        refused(served.client.post(address, content=content, headers=headers), 400)
    assert host.scene()["events"] == []


def test_garbage_is_answered_by_one_line(served: Served) -> None:
    host = served.host("kuhn_poker", "human", "human", seed="1")
    rng = random.Random(7)
    things: list[object] = [None, True, -1, 2**70, 1e300, "", "x" * 300, "\u202e", [], {}, [[]], {"a": {}}]
    for name in ("play", "undo", "redo", "resign", "hurry", "seat", "why", "nothing"):
        for _ in range(12):
            body = {key: rng.choice(things) for key in ("version", "move", "seat", "agent") if rng.random() < 0.8}
            answer = served.client.post(f"{host.base}/{name}", json=body)
            assert 400 <= answer.status_code < 500, (name, body, answer.text)
            assert answer.json()["error"]
    for path in ("scene?seat=x", "scene?seat=9", "scene?seat=-1", "scene?seat=1&seat=²", "board?ply=x", "nothing",
                 "rule", "rule?find=%00", "../home", "%2e%2e/home", "scene/"):
        answer = served.client.get(f"{host.base}/{path}", follow_redirects=False)
        assert 400 <= answer.status_code < 500 or "location" in answer.headers or path == "rule"
    for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"):
        refused(served.client.request(method, f"{host.base}/play"), 405)
    assert len(host.scene()["decision"]["moves"]) == 2


def test_links_that_lead_nowhere(served: Served) -> None:
    guest = served.guest()
    for token in ("x", "A" * 22, "%00", "é", "x" * 5000):
        for path in (f"/play/{token}", f"/api/table/{token}/scene", f"/api/table/{token}/stream"):
            refused(guest.get(path), 404)


def test_files_outside_are_not_served(served: Served) -> None:
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd",
                 "/static/..%2f..%2fpyproject.toml", "/static/nothing.js"):
        assert served.client.get(path).status_code == 404


def test_large_requests_are_refused() -> None:
    with serving(limits=Limits(body=2000, burst=10_000, rate=1000.0)) as served:
        host = served.host("tic_tac_toe", "human", "human")
        refused(served.client.post(f"{host.base}/play", content=b" " * 2001,
                                   headers={"content-type": "application/json"}), 413)

        def pieces() -> object:
            for _ in range(50):
                yield b" " * 100

        refused(served.client.post(f"{host.base}/play", content=pieces(),
                                   headers={"content-type": "application/json"}), 413)
        assert host.scene()["events"] == []


def test_a_flood_is_stopped_and_ends() -> None:
    with serving(limits=Limits(burst=30, rate=4.0)) as served:
        host = served.host("tic_tac_toe", "human", "human")
        answers = [served.client.get(f"{host.base}/scene") for _ in range(60)]
        assert 429 in [answer.status_code for answer in answers]
        refused(next(answer for answer in answers if answer.status_code == 429), 429)
        time.sleep(1.0)
        assert host.scene()["events"] == []


def test_a_bucket_fills_again_and_forgets_the_oldest_client() -> None:
    buckets = Buckets(2, 1.0)
    assert [buckets.take("a", 0.0) for _ in range(3)] == [True, True, False]
    assert buckets.take("b", 0.0)
    assert not buckets.take("a", 0.5)
    assert buckets.take("a", 1.5)
    assert [buckets.take("c", 2.0) for _ in range(3)] == [True, True, False]
    for number in range(4000):
        buckets.take(f"{number}", 2.0)
    assert not buckets.take("c", 2.0)
    for number in range(4000, 9000):
        buckets.take(f"{number}", 2.0)
    assert buckets.take("c", 2.0), "it is forgotten, so that memory is bounded"


def test_half_requests_hold_nobody_up() -> None:
    with serving(limits=Limits(seconds=0.5, burst=10_000, rate=1000.0)) as served:
        host = served.host("tic_tac_toe", "human", "human")
        halves = []
        for text in (b"", b"GET", b"GET /api/home HTTP/1.1\r\nHost: 127", b"\x16\x03\x01\x02\x00", b"\x00" * 300,
                     f"POST {host.base}/play HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                     "Content-Length: 50\r\n\r\n{".encode()):
            half = socket.create_connection(("127.0.0.1", served.server.port), timeout=30)
            half.sendall(text)
            halves.append(half)
        host.play("b2")
        with halves[-1].makefile("rb") as unsent:   # its body never arrived in full
            answer = unsent.read()
        assert b" 408 " in answer.splitlines()[0]
        assert json.loads(answer.split(b"\r\n\r\n")[1])["error"]
        for half in halves:
            half.close()
        assert len(host.scene()["events"]) == 1


def test_a_client_that_leaves_in_mid_request_changes_nothing(served: Served) -> None:
    host = served.host("tic_tac_toe", "human", "human")
    with socket.create_connection(("127.0.0.1", served.server.port), timeout=30) as half:
        half.sendall(f"POST {host.base}/play HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                     'Content-Length: 500\r\n\r\n{"version": 1'.encode())
    assert host.scene()["events"] == []
