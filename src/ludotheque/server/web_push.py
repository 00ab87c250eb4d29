"""Messages to browsers whose page is closed: Web Push (RFC 8030), encrypted (8291), signed (8292).

A browser tells us an address at its maker's push service, and keys that only this browser has. Only
addresses of the services that browsers use are accepted: otherwise anyone could have this server
call any address that it can reach.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import secrets
import time
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPSConnection
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ludotheque.engine.refused import Refused

CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve
PUBLIC_KEY_BYTES = 65
AUTH_BYTES = 16
LONGEST_ENDPOINT = 1024
LABEL = re.compile("[a-z0-9-]{1,63}")  # a part of a host's name
RECORD_BYTES = 4096  # a message is one record
SIGNED_FOR_S = 12 * 3600
KEPT_FOR_S = 24 * 3600  # by the service, while the browser cannot be reached
TIMEOUT_S = 10


class Subscription(NamedTuple):
    """Where a browser is called, with which keys, and in which language its guest reads."""

    endpoint: str
    p256dh: str  # the browser's public key, and what it shares with us, in base64url
    auth: str
    language: str
    contact: str  # the host name of the page, told to the push service


@dataclass(frozen=True)
class PushHosts:
    """The push services that may be called; a host that begins with a dot stands for its names."""

    hosts: tuple[str, ...]
    scheme: str = "https"
    port: int | None = None

    def checked(self, endpoint: str) -> SplitResult:
        """The parts of an endpoint; Refused if it is not one of these services."""
        is_plain = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint
        if not is_plain or len(endpoint) > LONGEST_ENDPOINT:
            raise Refused(f"endpoint is not an address of at most {LONGEST_ENDPOINT} characters")
        try:
            url = urlsplit(endpoint)
            port = url.port
        except ValueError:
            raise Refused("endpoint is not an address") from None
        is_known = url.scheme == self.scheme and port == self.port and self._has(url.hostname)
        if not is_known or "@" in url.netloc or "\\" in endpoint:
            raise Refused("endpoint is not at a push service that this server knows")
        return url

    def _has(self, host: str | None) -> bool:
        return (
            host is not None
            and all(LABEL.fullmatch(label) for label in host.split("."))
            and any(
                host.endswith(known) if known.startswith(".") else host == known
                for known in self.hosts
            )
        )


PUSH_HOSTS = PushHosts(
    (
        "fcm.googleapis.com",
        "jmt17.google.com",
        ".push.services.mozilla.com",
        ".push.apple.com",
        ".notify.windows.com",
    )
)


def new_secret() -> str:
    """A private key, as it is stored."""
    return f"{1 + secrets.randbelow(ORDER - 1):064x}"


class Sender:
    """Sends messages in the name of this server."""

    def __init__(self, secret: str, hosts: PushHosts = PUSH_HOSTS) -> None:
        self._key = ec.derive_private_key(int(secret, 16), CURVE)
        self._hosts = hosts
        self.public_key = encoded(_point(self._key.public_key()))

    def check(self, subscription: Subscription) -> None:
        """Refuse a subscription that cannot be used."""
        self._hosts.checked(subscription.endpoint)
        if len(_decoded("auth", subscription.auth)) != AUTH_BYTES:
            raise Refused(f"auth has to be {AUTH_BYTES} bytes in base64url")
        _public_key(_decoded("p256dh", subscription.p256dh))

    def send(self, subscription: Subscription, message: bytes, topic: str) -> int:
        """Send a message; a later one of the same topic replaces it. Returns the HTTP status."""
        url = self._hosts.checked(subscription.endpoint)
        assert url.hostname is not None
        kind = HTTPSConnection if url.scheme == "https" else HTTPConnection
        connection = kind(url.hostname, url.port, timeout=TIMEOUT_S)
        try:
            path = f"{url.path or '/'}{'?' if url.query else ''}{url.query}"
            body = encrypted(message, subscription)
            connection.request("POST", path, body, self._headers(url, subscription, topic))
            return connection.getresponse().status  # a redirect is a failure like any other
        finally:
            connection.close()

    def _headers(self, url: SplitResult, subscription: Subscription, topic: str) -> dict[str, str]:
        token = self._token(f"{url.scheme}://{url.netloc}", f"https://{subscription.contact}")
        return {
            "Authorization": f"vapid t={token}, k={self.public_key}",
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(KEPT_FOR_S),
            "Topic": topic,
        }

    def _token(self, audience: str, subject: str) -> str:
        """A JSON Web Token that says who sends, signed with ES256."""
        claims = {"aud": audience, "exp": int(time.time()) + SIGNED_FOR_S, "sub": subject}
        parts = ({"typ": "JWT", "alg": "ES256"}, claims)
        text = ".".join(encoded(json.dumps(part).encode()) for part in parts)
        numbers = decode_dss_signature(self._key.sign(text.encode(), ec.ECDSA(SHA256())))
        return f"{text}.{encoded(b''.join(number.to_bytes(32, 'big') for number in numbers))}"


def encrypted(
    message: bytes,
    subscription: Subscription,
    ours: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """The message as only this browser can read it; key and salt are new for every message."""
    theirs = _decoded("p256dh", subscription.p256dh)
    auth = _decoded("auth", subscription.auth)
    ours = ec.generate_private_key(CURVE) if ours is None else ours
    salt = secrets.token_bytes(16) if salt is None else salt
    public = _point(ours.public_key())
    shared = ours.exchange(ec.ECDH(), _public_key(theirs))
    secret = _derived(auth, shared, b"WebPush: info\0" + theirs + public, 32)
    key = _derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(salt, secret, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD_BYTES.to_bytes(4, "big") + bytes([len(public)]) + public
    return header + AESGCM(key).encrypt(nonce, message + b"\x02", None)  # 2 ends the last record


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decoded(name: str, text: str) -> bytes:
    try:
        padding = "=" * (-len(text) % 4)
        return base64.b64decode(text + padding, altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise Refused(f"{name} is not in base64url") from None


def _public_key(point: bytes) -> ec.EllipticCurvePublicKey:
    try:
        if len(point) != PUBLIC_KEY_BYTES:
            raise ValueError
        return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)
    except ValueError:
        raise Refused(f"p256dh is not a point of P-256 in {PUBLIC_KEY_BYTES} bytes") from None


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)
