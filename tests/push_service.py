"""A push service on this machine, and a browser that subscribes to it and reads what it gets."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Thread
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ludotheque.server.web_push import encoded
from people import WAIT_TIMEOUT_S


class Posted(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes


class Mailbox:
    """The part of a service that one test uses; answers with `statuses`, by path, or 201."""

    def __init__(self, port: int, number: int) -> None:
        self.port = port
        self.number = number
        self.posted: Queue[Posted] = Queue()
        self.statuses: dict[str, int] = {}

    def next(self) -> Posted:
        return self.posted.get(timeout=WAIT_TIMEOUT_S)

    def endpoint(self, name: str) -> str:
        return f"http://127.0.0.1:{self.port}/{self.number}/{name}"

    def take(self, posted: Posted) -> int:
        """Keep what came, and answer with a status."""
        self.posted.put(posted)
        return self.statuses.get(posted.path, 201)


class PushService:
    def __init__(self, port: int) -> None:
        self.port = port
        self._boxes: dict[str, Mailbox] = {}

    def mailbox(self) -> Mailbox:
        number = len(self._boxes)
        self._boxes[str(number)] = Mailbox(self.port, number)
        return self._boxes[str(number)]

    def take(self, path: str, headers: dict[str, str], body: bytes) -> int:
        number, _, name = path[1:].partition("/")
        return self._boxes[number].take(Posted(f"/{name}", headers, body))


@contextmanager
def push_service() -> Iterator[PushService]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(service.take(self.path, dict(self.headers), body))
            self.send_header("Location", f"{self.path}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        service = PushService(server.server_port)
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield service
        server.shutdown()
        thread.join()


class Browser:
    """The keys of a subscription, and what they can read."""

    def __init__(self, key: ec.EllipticCurvePrivateKey | None = None, auth: bytes = b"a" * 16):
        self._key = key or ec.generate_private_key(ec.SECP256R1())
        self.auth = auth
        public = self._key.public_key()
        self.public = public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def subscription(self, endpoint: str, language: str = "en") -> dict[str, str]:
        keys = {"p256dh": encoded(self.public), "auth": encoded(self.auth)}
        return {"endpoint": endpoint, **keys, "language": language}

    def read(self, body: bytes) -> bytes:
        """What RFC 8291 has a browser do."""
        salt, length = body[:16], body[20]
        sender, text = body[21 : 21 + length], body[21 + length :]
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self._key.exchange(ec.ECDH(), theirs)
        info = b"WebPush: info\0" + self.public + sender
        secret = HKDF(SHA256(), 32, self.auth, info).derive(shared)
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        padded = AESGCM(key).decrypt(nonce, text, None)
        assert padded.endswith(b"\2")
        return padded[:-1]


def claims(authorization: str) -> Any:
    """What the sender says of itself; its signature is checked with the key that it names."""
    scheme, _, values = authorization.partition(" ")
    fields = dict(value.strip().split("=", 1) for value in values.split(","))
    assert scheme == "vapid"
    head, body, signature = fields["t"].split(".")
    raw = _bytes(signature)
    numbers = (int.from_bytes(half, "big") for half in (raw[:32], raw[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(fields["k"]))
    key.verify(encode_dss_signature(*numbers), f"{head}.{body}".encode(), ec.ECDSA(SHA256()))
    return {"k": fields["k"], **json.loads(_bytes(head)), **json.loads(_bytes(body))}


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
