"""The connection to the broker, made once and made again by itself; the keys that it keeps.

Everything that is known of NATS is here. What is posted while the connection is down is gone: who
posts finds out by numbering, and asks again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ludotheque.engine.refused import Refused
from ludotheque.server.setting_kinds import Address
from ludotheque.server.store import Unavailable

PREFIX = "ludotheque"
LEASES, TABLES = "ludotheque_leases", "ludotheque_tables"  # buckets of keys
TIMEOUT_S = 0.8  # for the broker's own answers: shorter than a lease
START_TIMEOUT_S = 5.0
RECONNECT_S = 0.1
READ_ALL_S = 5.0
READER_S = 5.0  # after which the broker forgets who has read a bucket and is gone
LARGEST_BYTES = 512 * 1024  # of what is posted at once; brokers take a megabyte

AWAY = "the other nodes of this server cannot be reached now; try again in a while"
NOT_INSTALLED = (
    "a broker needs the NATS client, which is not installed: "
    "install it with pip install 'ludotheque[nodes]'"
)

Take = Callable[[str, bytes, bool], None]  # a subject, what came, whether nobody hears it there
log = logging.getLogger(__name__)


class Taken(Exception):
    """A key was not as it was expected: someone else has changed it."""


class Entry(NamedTuple):
    value: str
    revision: int


class Subscription:
    """A subject on which something is heard, whichever client of NATS hears it."""

    def __init__(self, subject: str, queue: str, take: Take) -> None:
        self._subject = subject
        self._queue = queue
        self._take = take
        self._client: Any = None
        self._subscription: Any = None
        self._is_over = False

    def is_heard_by(self, client: Any) -> bool:
        return self._client is client

    async def begin(self, client: Any) -> None:
        self._client = client
        self._subscription = await client.subscribe(
            self._subject,
            self._queue,
            cb=self._take_message,
            pending_msgs_limit=-1,
            pending_bytes_limit=256 * 1024 * 1024,
        )
        if self._is_over:  # it was ended meanwhile
            await self.end()

    async def end(self) -> None:
        self._is_over = True
        with suppress(Exception):  # the client is closed, or the connection is away
            await self._subscription.unsubscribe()

    async def _take_message(self, message: Any) -> None:
        is_lost = not message.data and (message.headers or {}).get("Status") == "503"
        try:
            self._take(message.subject, message.data, is_lost)
        except Exception:  # one message must not keep the others from being heard
            log.exception("a message of another node failed")


class Broker:
    def __init__(self, address: Address, name: str, credentials: Path | None = None) -> None:
        """`credentials` is a file with a user's JWT and seed, or with the seed alone."""
        self.name = name
        self._address = address
        self._credentials = credentials
        self._client: Any = None
        self._heard: list[Subscription] = []
        self._returning: asyncio.Task[None] | None = None
        self._is_closing = False
        self._outgoing: deque[tuple[str, bytes, str]] = deque()
        self._posting: asyncio.Task[None] | None = None
        self._failure = ""  # the first that a server has told
        self._logged: set[str] = set()  # failures, since the connection was made
        self.when_back: Callable[[], object] = lambda: None

    @property
    def is_connected(self) -> bool:
        return self._client is not None and bool(self._client.is_connected)

    async def open(self, lease_s: float | None) -> None:
        """Connect, and make the buckets if they are not there; Refused says what is wrong.

        A node without leases, None, keeps no keys.
        """
        try:
            import nats  # noqa: PLC0415  # a node without a broker does without it
        except ImportError:
            raise Refused(NOT_INSTALLED) from None
        proof = self._proof()
        try:
            self._use(await self._connect(proof))
        except (OSError, TimeoutError, nats.errors.Error, ValueError) as error:
            raise Refused(self._cannot_connect(error)) from None
        if lease_s is not None:
            await self._make_buckets(lease_s)

    async def _connect(self, proof: dict[str, Any]) -> Any:
        """A client that hears everything, and whose connection comes back if it breaks."""
        from nats.aio.client import Client  # noqa: PLC0415

        client: Any = Client()

        async def closed() -> None:
            self._note_closed(client)

        try:
            async with asyncio.timeout(START_TIMEOUT_S):
                await client.connect(
                    self._address.full,
                    name=f"ludotheque {self.name}",
                    inbox_prefix=inbox_of(self.name),
                    error_cb=self._note_error,
                    reconnected_cb=self._come_back,
                    closed_cb=closed,
                    allow_reconnect=False,
                    max_reconnect_attempts=1,  # or an address where nobody is takes seconds
                    reconnect_time_wait=RECONNECT_S,
                    connect_timeout=int(START_TIMEOUT_S),
                    ping_interval=1,
                    max_outstanding_pings=2,
                    **proof,
                )
            await self._hear_again(client)
        except BaseException:
            with suppress(Exception):  # it ends either way
                await client.close()
            raise
        # From now on it comes back by itself, however long the broker is away.
        client.options |= {
            "allow_reconnect": True,
            "max_reconnect_attempts": -1,
        }
        return client

    def _use(self, client: Any) -> None:
        self._client = client
        self._js = client.jetstream(timeout=TIMEOUT_S)

    def _note_closed(self, client: Any) -> None:
        """A client gives up for good when the broker refuses it; another one takes its place."""
        is_returning = self._returning is not None and not self._returning.done()
        if client is self._client and not is_returning and not self._is_closing:
            self._warn(client.last_error)
            self._returning = asyncio.create_task(self._return())

    async def _return(self) -> None:
        """Connect as a new client, as often as it takes."""
        while self._client.is_closed:
            try:
                self._use(await self._connect(self._proof()))
            except Exception as error:
                self._warn(error)
                await asyncio.sleep(RECONNECT_S)
        await self._come_back()

    async def _hear_again(self, client: Any) -> None:
        while missing := [each for each in self._heard if not each.is_heard_by(client)]:
            for each in missing:
                await each.begin(client)
            await client.flush(TIMEOUT_S)

    def _proof(self) -> dict[str, Any]:
        """What proves who this node is, if the address does not say it."""
        if self._credentials is None:
            return {}
        try:
            text = self._credentials.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not text"
            raise Refused(
                f"broker_credentials: {self._credentials} cannot be read: {reason}"
            ) from None
        kind = "user_credentials" if "BEGIN NATS USER JWT" in text else "nkeys_seed"
        return {kind: str(self._credentials)}

    def _cannot_connect(self, error: Exception) -> str:
        told = self._failure or str(error) or type(error).__name__
        if "uthorization" in told:
            return (
                f"the broker at {self._address} does not let this node in: check the user and "
                "the password in its address, or broker_credentials"
            )
        return (
            f"the broker at {self._address} cannot be reached ({told}); "
            "start one with nats-server -js, or name another with --broker"
        )

    async def close(self) -> None:
        self._is_closing = True
        if self._returning is not None:
            self._returning.cancel()
            with suppress(asyncio.CancelledError):
                await self._returning
        if self._posting is not None:
            with suppress(asyncio.CancelledError):
                await self._posting
        if self._client is not None:
            with suppress(Exception):  # it ends either way
                await self._client.close()

    async def _note_error(self, error: Exception) -> None:
        self._failure = self._failure or str(error)  # what follows is only that it hangs up
        self._warn(error)

    def _warn(self, error: Exception) -> None:
        told = str(error) or type(error).__name__
        is_news = self._client is not None and told not in self._logged
        self._logged.add(told)  # it is tried again many times a second
        log.log(logging.WARNING if is_news else logging.DEBUG, "the broker: %s", told)

    async def _come_back(self) -> None:
        self._logged.clear()
        log.warning("the broker is back")
        self.when_back()

    # Messages

    def post(self, subject: str, text: bytes, lost_to: str = "") -> None:
        """Send in order, and do not wait; `lost_to` is told if nobody is there to hear it."""
        self._outgoing.append((subject, text, lost_to))
        if self._posting is None:
            self._posting = asyncio.create_task(self._post_all())

    async def _post_all(self) -> None:
        try:
            while self._outgoing:
                message = self._outgoing.popleft()
                if self.is_connected:
                    with suppress(Exception):  # the connection has just broken
                        await self._client.publish(*message)
        finally:
            self._posting = None

    async def hear(self, subject: str, take: Take, queue: str = "") -> Subscription:
        """Take what is sent to a subject until it is dropped.

        Of those in a queue, one takes each message. While the broker is away, it is heard when the
        connection is back.
        """
        heard = Subscription(subject, queue, take)
        self._heard.append(heard)
        if not self._client.is_closed:
            await heard.begin(self._client)
            with suppress(Exception):
                await self._client.flush(TIMEOUT_S)
        return heard

    async def drop(self, heard: Subscription) -> None:
        self._heard.remove(heard)
        await heard.end()

    # Keys

    async def _make_buckets(self, lease_s: float) -> None:
        import nats  # noqa: PLC0415
        from nats.js import api, errors  # noqa: PLC0415

        for bucket, age in ((LEASES, lease_s), (TABLES, None)):
            stream = api.StreamConfig(
                name=f"KV_{bucket}",
                subjects=[f"$KV.{bucket}.>"],
                max_msgs_per_subject=1,
                max_age=age,
                duplicate_window=age or 0,
                allow_rollup_hdrs=True,
                discard=api.DiscardPolicy.NEW,
            )
            try:
                await self._make_bucket(stream)
            except errors.ServiceUnavailableError:
                raise Refused(self._without_jetstream()) from None
            except (errors.APIError, nats.errors.Error) as error:
                raise Refused(await self._without_buckets(bucket, error)) from None

    async def _make_bucket(self, stream: Any) -> None:
        from nats.js import errors  # noqa: PLC0415

        try:
            await self._js.stream_info(stream.name)
        except errors.NotFoundError:
            await self._js.add_stream(stream)

    def _without_jetstream(self) -> str:
        return (
            f"the broker at {self._address} keeps nothing: start it with JetStream, nats-server -js"
        )

    async def _without_buckets(self, bucket: str, error: Exception) -> str:
        await asyncio.sleep(0)  # what the server has said of permissions comes beside the answer
        if "ermissions" in self._failure:
            return (
                f"the broker at {self._address} does not let this node keep keys "
                f"({self._failure}); write its configuration with ludotheque broker-config"
            )
        info = getattr(self._client, "_server_info", {})
        if not info.get("jetstream", True):
            return self._without_jetstream()
        return f"the broker at {self._address} cannot keep the bucket {bucket}: {error}"

    async def get(self, bucket: str, key: str) -> Entry | None:
        """The value of a key; Unavailable if the broker does not say."""
        from nats.js import errors  # noqa: PLC0415

        self._expect_connection()
        try:
            found = await self._js.get_last_msg(f"KV_{bucket}", f"$KV.{bucket}.{key}")
        except errors.NotFoundError:
            return None
        except Exception as error:
            raise self._away(error) from error
        return Entry((found.data or b"").decode(), int(found.seq))

    async def values(self, bucket: str) -> dict[str, str]:
        """All keys of a bucket and their values, in one answer."""
        self._expect_connection()
        try:
            return await self._read_all(bucket)
        except Exception as error:
            raise self._away(error) from error

    async def _read_all(self, bucket: str) -> dict[str, str]:
        from nats.js import api  # noqa: PLC0415

        inbox, found, all_read = self._client.new_inbox(), dict[str, str](), asyncio.Event()

        async def take(message: Any) -> None:
            found[message.subject.removeprefix(f"$KV.{bucket}.")] = message.data.decode()
            if not message.metadata.num_pending:
                all_read.set()

        coming = await self._client.subscribe(
            inbox, cb=take, pending_msgs_limit=-1, pending_bytes_limit=-1
        )
        reader = api.ConsumerConfig(
            deliver_subject=inbox,
            deliver_policy=api.DeliverPolicy.LAST_PER_SUBJECT,
            filter_subject=f"$KV.{bucket}.>",
            ack_policy=api.AckPolicy.NONE,
            inactive_threshold=READER_S,
            mem_storage=True,
        )
        try:
            if (await self._js.add_consumer(f"KV_{bucket}", reader)).num_pending:
                await asyncio.wait_for(all_read.wait(), READ_ALL_S)
        finally:
            await coming.unsubscribe()  # then the broker forgets the reader
        return found

    async def put(self, bucket: str, key: str, value: str, expected: int) -> int:
        """Set a key whose last revision is this one, 0 for none; Taken if it is another."""
        from nats.js import api, errors  # noqa: PLC0415

        self._expect_connection()
        headers = {api.Header.EXPECTED_LAST_SUBJECT_SEQUENCE: str(expected)}
        subject = f"$KV.{bucket}.{key}"
        try:
            stored = await self._js.publish(subject, value.encode(), TIMEOUT_S, headers=headers)
        except errors.APIError as error:
            if error.err_code in WRONG_REVISION:
                raise Taken(key) from None
            raise self._away(error) from error
        except Exception as error:
            raise self._away(error) from error
        return int(stored.seq)

    async def delete(self, bucket: str, revision: int) -> None:
        """Delete the key that has this revision, if any still has."""
        from nats.js import errors  # noqa: PLC0415

        self._expect_connection()
        try:
            await self._js.delete_msg(f"KV_{bucket}", revision)
        except errors.APIError:
            return  # it was replaced, or has expired
        except Exception as error:
            raise self._away(error) from error

    def _expect_connection(self) -> None:
        """Fail now: what is asked while the connection is down would be sent much later."""
        if not self.is_connected:
            raise Unavailable(AWAY)

    def _away(self, error: Exception) -> Unavailable:
        log.info("the broker does not answer: %s %s", type(error).__name__, error)
        return Unavailable(AWAY)


WRONG_REVISION = (10071, 10164)


def inbox_of(node: str) -> str:
    """Where the broker's own answers to a node go."""
    return f"_INBOX_{node}"


def user_in(address: str) -> str:
    """The user whom an address names, or ""."""
    found = urlsplit(address)
    return found.username or "" if found.password is not None else ""
