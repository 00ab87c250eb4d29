"""Every message between a browser and the server. The client's types are made from these.

A client opens a socket and says `Hello`. From then on the server sends an `Update` whenever
something has changed at the table, and a `Reply` to every `Request`. An update is always complete,
except for the lines of log and chat: it carries only those the client has not had.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Message(msgspec.Struct, omit_defaults=False, forbid_unknown_fields=True):
    """Base of everything that is sent."""


# Over HTTP


class NewGuest(Message):
    """A nickname of up to 24 characters, and the number of a picture."""

    name: str
    avatar: int = 0


class Guest(Message):
    """A player."""

    id: str
    name: str
    avatar: int


class Newcomer(Guest):
    """A new player, with the token that proves who they are.

    It is for scripts: a page gets a cookie that no script can read, and "" here.
    """

    token: str


class Recovery(Message):
    """A personal token that makes another device this player's too, once and for a short time."""

    token: str


class RecoveryLeft(Message):
    """For how long the last recovery token still works, 0 if none does."""

    seconds: int


class Device(Message):
    """Something on which a guest is signed in."""

    id: str
    browser: str  # "Firefox", or "" for a program
    system: str  # "Android", or "" if it does not say
    created: int  # when it was signed in: milliseconds since 1970
    seen: int  # when it was last used, to the hour
    is_this: bool  # the asker's own


class PushKey(Message):
    """The key with which this server signs its calls, for `PushManager.subscribe`."""

    key: str


class PushSubscription(Message):
    """Where a browser is called, with the keys that its `PushSubscription` gives, in base64url."""

    endpoint: str
    p256dh: str
    auth: str
    language: str  # of the message: fr, en or de


class PushEndpoint(Message):
    endpoint: str


class TableChoices(Message):
    """What a host may choose for a table. What is left out stays as it is, or as usual if new."""

    game: str | None = None
    seats: int | None = None
    options: dict[str, Any] | None = None
    is_public: bool | None = None
    move_seconds: int | None = None
    hints: str | None = None
    asks_host: bool | None = None
    phrases_only: bool | None = None


class NewTable(TableChoices, kw_only=True):
    """A table to open; the player who opens it is its host, and sits down unless `sit` is false.

    With `deal`, the id of a shared deal, the first match replays it: the deal brings its game and
    its options, and `game` must be that game.
    """

    game: str
    sit: bool = True
    deal: str = ""


class Opened(Message):
    id: str


class ScreenKey(Message):
    """What a big screen says in its hello, so that phones count on it."""

    key: str


class TablePage(Message):
    """Some of the public tables at which someone is present, the newest first."""

    tables: list[TableInfo]
    next: str  # ask with ?after= this for the tables that follow; "" if there are none


class MyTable(Message):
    """A table at which the asker has seats."""

    table: TableInfo
    you: list[int]  # the asker's seats, also those that a bot plays for the time being
    awaited: list[int]  # the seats that a running match waits for
    scores: list[int]  # of a match that is over, [] before
    winners: list[int]
    used: int  # when the asker sat down, or a match began or ended: milliseconds since 1970


class MyTablePage(Message):
    """Some of the asker's tables, the latest used first."""

    tables: list[MyTable]
    next: str  # ask with ?after= this for the tables that follow; "" if there are none


class Attempt(Message):
    """A finished match with a given deal: who played, and what they scored."""

    names: list[str]
    scores: list[int]
    is_here: bool  # played at this table


class SharedDeal(Message):
    """A deal that others may play too. Nothing here tells what will be dealt."""

    id: str
    game: str
    seats: int
    options: dict[str, Any]  # of a match that replays it
    attempts: list[Attempt]


class Proof(Message):
    """What proves that nobody chose the draws of a finished match.

    The server bound itself by `commitment` before anyone gave a seed. The key of the draws is
    HMAC-SHA-256 of the client seeds, one after the other, under the server seed. Each draw is
    given as its name, the number of cases and the case drawn, in the order of the log.
    """

    commitment: str
    server_seed: str
    client_seeds: list[str]  # in the order of the seats
    is_replay: bool  # the seeds are those of an earlier match
    draws: list[tuple[int, int, int]]


class GameInfo(Message):
    """What a host can choose before a match."""

    game: str
    rules: int
    seats: list[int]
    usual_seats: int  # of a table whose host has chosen nothing
    age: int | None  # from which one can play, null if the box does not say
    minutes: list[int]  # that a match takes, at least and at most; [] if the box does not say
    options: list[OptionInfo]
    bots: list[str]  # its levels, the weakest first, and the one that plays at random
    usual_bot: str  # the one of them that takes a free seat
    is_timed: bool
    has_chance: bool
    is_team: bool  # all seats win or lose together
    has_hints: bool  # whether its strongest bot gives advice
    lessons: list[str]  # by name; `first` is the one to begin with


class OptionInfo(Message):
    """`values` lists what may be chosen; null means a whole number from low to high."""

    name: str
    default: bool | int | str
    values: list[bool | int | str] | None
    low: int
    high: int
    is_seat: bool
    of_replay: list[bool | int | str] | bool  # values, or all of them, that only a replay sets


class Hint(Message):
    """A move that a master would make. `key` and `values` say which of the game's words tell it,
    `reason` and `because` which of its [hints] say why."""

    move: int
    key: str
    values: dict[str, Any]
    reason: str
    because: dict[str, Any]


class Warmup(Message):
    """How many steps are done of compiling what a game's strong bots think with."""

    done: int
    total: int  # 0 until it is known
    is_warm: bool  # whether they can play and advise


class Version(Message):
    """What runs here."""

    version: str
    rules: dict[str, int]  # of each game
    python: str


class Address(Message):
    """What links to this server begin with that are given to others."""

    origin: str


class Privacy(Message):
    """The texts of the page about privacy, by key.

    The days are those without use after which tables are deleted; 0 means never.
    """

    keep_finished_days: int
    keep_abandoned_days: int
    words: dict[str, str]


class Problem(Message, omit_defaults=True):
    """What was wrong, where, and what was expected."""

    error: str
    reason: str = ""  # a word for it, where the page tells it in the reader's language


# What a client may ask for at a table. `do` names the command.


class Command(Message, tag_field="do"):
    """Base of the commands."""


class Sit(Command, tag="sit"):
    """Take a seat; without a number the first free one. It carries the player's own name.

    A player who has a seat takes one more only for another person at the same device, whose `name`
    it carries.
    """

    seat: int | None = None
    name: str = ""


class Leave(Command, tag="leave"):
    """Give up one's seats, or one of them. While a match is played, a bot keeps it warm."""

    seat: int | None = None


class Seat(Command, tag="seat"):
    """The host puts a bot into a seat, or empties it (bot = "").

    During a match a bot takes over only from a player who has been away for a while: see Replace.
    """

    seat: int
    bot: str


class GiveBack(Command, tag="give_back"):
    """The host gives a seat that a bot keeps warm back to its player."""

    seat: int


class Replace(Command, tag="replace"):
    """Let a bot play for a person who is away, until they come back.

    Two minutes after they left, anyone who plays may do so. Before, it takes the votes of all the
    others who are present, two at least: this is one.
    """

    seat: int


class LetIn(Command, tag="let_in"):
    """The host lets in a guest who waits at the door or was sent away.

    While the host is not connected, everyone who has a seat may do so.
    """

    guest: str


class Remove(Command, tag="remove"):
    """The host sends a guest away from the table or from its door. Bots keep their seats."""

    guest: str


class Mute(Command, tag="mute"):
    """The host hides what a guest says from everyone, or no longer."""

    guest: str
    muted: bool = True


class Set(Command, TableChoices, tag="set"):
    """The host changes the table before a match begins; what is left out stays as it is.

    Who may find it and come in, and what may be said there, can be changed at any time.
    """


class Contribute(Command, tag="contribute"):
    """Add random bytes, 32 hexadecimal digits, to the shuffle that `commitment` binds.

    A page does so for its player when it sees the commitment of the next match.
    """

    seed: str
    commitment: str


class ShuffleSeats(Command, tag="shuffle_seats"):
    """The host has everyone's seat drawn by lot."""


class Start(Command, tag="start"):
    """The host begins the match. Empty seats are filled with bots, of the level `bots` if given.

    While the host is not connected, everyone who has a seat may begin.
    """

    bots: str = ""


class Again(Command, tag="again"):
    """The host clears the table for another match, with the same deal if asked for.

    Before a match that replays a deal, it chooses a new deal instead.
    """

    same_deal: bool = False


class Rematch(Command, tag="rematch"):
    """Ask for another match with a new deal after one that is over, or take it back.

    It begins when the host asks, or everyone who sits at the table and is present has asked.
    """

    wanted: bool = True


class Play(Command, tag="play"):
    """Make a move, as a number or in notation. Players who hold several seats say which."""

    move: int | str
    seat: int | None = None


class Say(Command, tag="say"):
    """A line of chat, a reaction if it is one of REACTIONS, or else one of PHRASES.

    A table may allow reactions and phrases only.
    """

    text: str = ""
    phrase: str = ""  # said in each reader's own language


AnyCommand = (
    Sit
    | Leave
    | Seat
    | GiveBack
    | Replace
    | LetIn
    | Remove
    | Mute
    | ShuffleSeats
    | Set
    | Contribute
    | Start
    | Again
    | Rematch
    | Play
    | Say
)
REACTIONS = ("👏", "😂", "😮", "😢", "🤔", "🎉")
PHRASES = (
    "hello",
    "good_luck",
    "your_turn",
    "one_moment",
    "well_played",
    "oops",
    "thanks",
    "another",
)


class Hello(Message, tag_field="type", tag="hello"):
    """The first message of a client: what it has had so far, and the seat it looks from.

    Said again later, it changes the seat: people who share a device look one after the other.
    """

    match: int = 0  # the match that the lines are of
    lines: int = 0
    chat: int = 0
    viewer: int | None = None
    plain: str = ""  # a client without a board for the game asks for it as text in this language
    screen: bool = False  # shows the table to the whole room: a visitor without a name, for good
    key: str = ""  # makes a screen the table's own in a browser of none of its players


class Request(Message, tag_field="type", tag="request"):
    """A command with the client's own number for it: sent twice, it is carried out once."""

    id: str
    command: AnyCommand


class Ping(Message, tag_field="type", tag="ping"):
    """A client asks if the server is there."""


ClientMessage = Hello | Request | Ping


# What the server says


class Person(Message, tag_field="kind", tag="person"):
    """A seat that a person holds."""

    id: str  # public
    name: str
    avatar: int
    kept_by: str | None  # the level of the bot that plays while they are away
    stand_in: str | None  # the weaker level that plays until that one is ready
    is_here: bool  # connected now
    shares: bool  # the device of the guest with this id, who has a seat of their own
    is_replaceable: bool  # away for so long that a bot may take over
    votes: list[str]  # public ids of those who want that before


class Bot(Message, tag_field="kind", tag="bot"):
    """A seat that a bot holds."""

    name: str
    avatar: int
    level: str
    stand_in: str | None  # the weaker level that plays until this one is ready


Occupant = Person | Bot


class Standing(Message):
    """How a player has fared in the matches of a table that can be won."""

    player: str  # a public id, "" for a bot
    name: str
    avatar: int
    matches: int
    wins: int


class TableInfo(Message):
    """Everything about the table that everyone may know."""

    id: str
    code: str  # five letters that lead here too, "" if there are none
    game: str
    options: dict[str, Any]
    seats: list[Occupant | None]
    host: str  # the host's public id
    has_host: bool  # the host is connected
    status: str  # gathering, playing, over
    is_public: bool
    move_seconds: int  # 0 for no clock
    asks_host: bool  # the host lets people in
    phrases_only: bool  # the chat is for reactions and ready-made phrases
    muted: list[str]  # public ids of guests whose chat is hidden
    hints: str  # what the host has set: auto, on or off
    has_hints: bool  # whether players may ask for advice now
    match: int  # matches begun at this table
    watchers: int
    has_screen: bool  # a big screen of its players shows the table to everyone in the room
    commitment: str  # binds the server's part of the shuffle of this match or the next
    contributors: list[str]  # public ids of the players who have added to the shuffle
    replay: list[Attempt] | None  # earlier matches with this deal; null for a new deal
    wishes: list[str]  # public ids of the players who ask for another match
    is_beginning: bool  # another match begins as soon as everyone has added to the shuffle
    series: list[Standing]  # of everyone who has played here, in the order of their first match


class Line(Message):
    """One entry of the log as this viewer may see it: a hidden move is null and has no words.

    `key` and `values` say which of the game's words tell it: [moves], or [outcomes] for chance.
    """

    seat: int
    move: int | None
    at: int | None
    key: str
    values: dict[str, Any]


class Fact(Message):
    """One thing that happened, as this viewer may know it; `key` is one of the game's [story].

    In `values`, `seat` and `seats` stand for players, `by_seat` for pairs of a player and a text.
    """

    kind: str
    key: str
    values: dict[str, Any]
    lasting: bool  # whether the history keeps it while the match runs
    chapter: int  # the round it belongs to, 0 for none


class Step(Message):
    """Facts to be shown one after the other, and the match after them; null if as in `match`."""

    facts: list[Fact]
    view: dict[str, Any] | None
    notes: dict[str, Any] | None
    scores: list[int | None] | None


class ChatLine(Message):
    """What somebody said: `text`, or a phrase of PHRASES; neither if nobody is to read it."""

    guest: str  # a public id, "" for lines of earlier versions
    name: str
    avatar: int
    text: str
    phrase: str


class Saying(Message):
    """One sentence: a key of a section of the game's words, and what fills it in, as in a Fact."""

    key: str
    values: dict[str, Any]


class Portion(Message):
    """A part of a score; `key` is one of [breakdown] in the game's words, filled with `count`."""

    key: str
    count: int
    points: int


class MatchInfo(Message):
    """The match as this viewer may see it."""

    viewer: int  # the seat this client looks from, −2 for a spectator
    view: dict[str, Any]
    notes: dict[str, Any]  # what the rules say of the view, for the board to show
    legal: list[int]  # the viewer's legal moves, except those that the game does not list
    prompt: str  # the key of what the viewer is asked to do, "" for a spectator
    awaited: list[int]
    over: bool
    scores: list[int | None]
    winners: list[int]
    verdict: str  # the key of [results] in the game's words that tells the end, "" before it
    decided: Saying | None  # by [decided] of the game's words: what decided a match that is over
    # at the end: what the team's score, or else that of the viewer, is made of, where the game says
    breakdown: list[Portion]
    advised: list[int]  # how many hints each seat has asked for
    now: int  # milliseconds since a match on a clock began, 0 without one
    alarm: int  # milliseconds until chance acts by itself, −1 for never
    deadline: int  # milliseconds until the move clock runs out, −1 for none


class PlainMove(Message):
    """A legal move, in notation too; `key` and `values` say which of the [moves] tell it."""

    move: int
    notation: str
    key: str
    values: dict[str, Any]


class PlainBoard(Message):
    """The viewer's view as a terminal shows it, and the viewer's legal moves."""

    drawing: str
    moves: list[PlainMove]


class Visitor(Message):
    """A guest who has no seat."""

    id: str
    name: str
    avatar: int


class Door(Message):
    """Who is around the table, for those who may let people in."""

    waiting: list[Visitor]  # for being let in
    watching: list[Visitor]
    removed: list[Visitor]


class AtDoor(Message, tag_field="type", tag="at_door"):
    """What is sent in place of updates to a client that is not let in.

    `reason` is asked (the host is), name (give one before), or removed.
    """

    reason: str
    game: str
    has_host: bool  # the host is connected


class Update(Message, tag_field="type", tag="update"):
    """The table as it stands. `lines` follow those the client said it has, or all if `fresh`.

    When a match is over they all come once more, with every move that had been hidden. `table`,
    `you` and `me` are left out if they are as they were in the last update of this socket.
    `steps` lead from the update before to this one, for a client that had that one. `history` is
    all that is kept of the match, for one that had not, or when the match is over.
    """

    version: int
    match: MatchInfo | None
    fresh: bool
    lines: list[Line]
    chat: list[ChatLine]
    said: int  # lines of chat so far, including those that are no longer kept
    table: TableInfo | None = None
    you: list[int] = []  # the seats this client holds
    me: str | None = None  # this client's public id; null for a visitor without a name
    steps: list[Step] = []
    history: list[Fact] | None = None
    plain: PlainBoard | None = None  # if the client asked for it in its hello
    door: Door | None = None  # with `table`, for those who may let people in


class LessonBeat(Message):
    """One thing that a lesson says, on the match as the learner sees it.

    `steps` lead to it from the beat before. `ask` is the move to be made before the lesson goes on.
    """

    chapter: str  # the name by which the lesson is opened here, or ""
    say: dict[str, str]  # by language
    opening: dict[str, str]  # what is said instead if the lesson is opened here
    point: str  # the part of the board that it is about, or ""
    ask: int | None
    match: MatchInfo
    steps: list[Step]


class Lesson(Message):
    """A small match with fixed chance, played by the page alone."""

    game: str
    name: str
    title: dict[str, str]  # by language
    options: dict[str, Any]
    beats: list[LessonBeat]


class Picture(Message):
    """What the rules help shows of a chapter of a lesson: a match, and what has just been told."""

    part: str  # the part of the board that is shown, or "" for all of it
    refused: int | None  # a move that the rules refuse, held ready
    options: dict[str, Any]
    match: MatchInfo
    facts: list[Fact]


class Reply(Message, tag_field="type", tag="reply"):
    """The answer to a request: done, or why not; `reason` is a key of the words."""

    id: str
    done: bool
    error: str = ""
    reason: str = ""


class Gone(Message, tag_field="type", tag="gone"):
    """The server ends the connection and says why."""

    error: str
    reason: str = ""  # not_found, broken, too_often: where the page has words of its own


class ComeAgain(Message, tag_field="type", tag="come_again"):
    """This server is about to stop: connect again. It goes on until you are with another one."""


class Away(Message, tag_field="type", tag="away"):
    """The table cannot be reached now. The next update says that it can again."""


class Pong(Message, tag_field="type", tag="pong"):
    """The answer to a ping."""


ServerMessage = Update | AtDoor | Reply | Gone | ComeAgain | Away | Pong
