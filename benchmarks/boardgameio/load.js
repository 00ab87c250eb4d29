// Tables of four on boardgame.io's server. Usage: node load.js '{"port": …, …}'; see table_load.py.
// Prints one line of JSON: moves, seconds, latencies in ms, CPU ticks of the server and of this.

const { readFileSync } = require("node:fs");
const { io } = require("socket.io-client");
const { name: GAME } = require("./game");

// players: how many connect; pace: seconds between two moves of a player, 0 for no pause;
// matches: how many are prepared for each table; server: its process.
const load = JSON.parse(process.argv[2]);
const SEATS = 4;
const LOBBY = `http://127.0.0.1:${load.port}/games/${GAME}`;
const sleep = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

const latencies = [];
let isMeasuring = false;

class Table {
  constructor(matches) {
    this.matches = matches; // each with its id and the credentials of its seats
    this.sent = new Map(); // a move → when it was sent, and who has still to hear of it
  }

  send(move) {
    this.sent.set(move, { at: performance.now(), unheard: SEATS });
  }

  hear(move) {
    const sending = this.sent.get(move);
    if (--sending.unheard > 0) return;
    this.sent.delete(move);
    if (isMeasuring) latencies.push(performance.now() - sending.at);
  }
}

class Player {
  constructor(table, seat) {
    this.table = table;
    this.seat = seat;
    this.number = 0; // of the match, among those of the table
    this.heard = Array(SEATS).fill(0);
    this.bids = 0;
    this.state = null;
    this.socket = io(`http://127.0.0.1:${load.port}/${GAME}`, {
      transports: ["websocket"],
      multiplex: false,
    });
    this.socket.on("sync", (id, info) => this.see(id, info.state));
    this.socket.on("update", (id, state) => this.see(id, state));
    this.ready = new Promise((done) => this.socket.once("sync", done));
    this.socket.on("connect", () => this.sync());
  }

  get match() {
    return this.table.matches[this.number];
  }

  sync() {
    this.socket.emit("sync", this.match.id, String(this.seat), this.match.credentials[this.seat]);
  }

  see(id, state) {
    if (id !== this.match.id) return;
    this.state = state;
    for (let seat = 0; seat < SEATS; seat++) {
      while (this.heard[seat] < state.G.laid[seat]) {
        this.heard[seat] += 1;
        this.table.hear(`${this.number} ${seat} ${this.heard[seat]}`);
      }
    }
    if (state.ctx.gameover) this.goOn();
    else if (load.pace === 0 && isPlaying) this.play();
  }

  goOn() {
    if (this.number + 1 === this.table.matches.length) throw new Error("too few matches");
    this.number += 1;
    this.heard.fill(0);
    this.bids = 0;
    this.state = null;
    this.sync();
  }

  /** Lay a random card, unless this seat has done so already. */
  play() {
    if (this.state === null || this.state.G.laid[this.seat] < this.bids) return;
    if (this.state.G.bids[this.seat] !== 0) return;
    const hand = this.state.G.hands[this.seat];
    this.bids += 1;
    this.table.send(`${this.number} ${this.seat} ${this.bids}`);
    const payload = {
      type: "bid",
      args: [hand[Math.floor(Math.random() * hand.length)]],
      playerID: String(this.seat),
      credentials: this.match.credentials[this.seat],
    };
    const stateID = this.state._stateID;
    const action = { type: "MAKE_MOVE", payload };
    this.socket.emit("update", action, stateID, this.match.id, String(this.seat));
  }

  /** Play at this player's own times, one move in every pause. */
  begin(delay) {
    if (load.pace === 0) return this.play();
    setTimeout(() => {
      this.play();
      setInterval(() => this.play(), load.pace * 1000);
    }, delay * 1000);
  }
}

let isPlaying = false;

async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(LOBBY + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

async function openMatch() {
  const { matchID } = await post("/create", { numPlayers: SEATS });
  const credentials = [];
  for (let seat = 0; seat < SEATS; seat++) {
    const wish = { playerID: String(seat), playerName: `Player ${seat}` };
    credentials.push((await post(`/${matchID}/join`, wish)).playerCredentials);
  }
  return { id: matchID, credentials };
}

async function openTable() {
  const matches = [];
  for (let i = 0; i < load.matches; i++) matches.push(await openMatch());
  return new Table(matches);
}

async function gather() {
  const players = [];
  while (players.length + SEATS <= load.players) {
    const table = await openTable();
    const four = Array.from({ length: SEATS }, (_, seat) => new Player(table, seat));
    await Promise.all(four.map((player) => player.ready));
    players.push(...four);
  }
  return players;
}

/** Processor time that a process has used, in ticks. */
function ticks(process) {
  const fields = readFileSync(`/proc/${process}/stat`, "utf8").split(") ").pop().split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

async function main() {
  const players = await gather();
  isPlaying = true;
  for (const player of players) player.begin(Math.random() * load.pace);
  await sleep(load.warmup);
  const before = [ticks(load.server), ticks("self"), performance.now()];
  isMeasuring = true;
  await sleep(load.seconds);
  isMeasuring = false;
  const seconds = (performance.now() - before[2]) / 1000;
  const server = ticks(load.server) - before[0];
  const generator = ticks("self") - before[1];
  const measured = JSON.stringify({ seconds, server, generator, latencies });
  process.stdout.write(`${measured}\n`, () => process.exit(0));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
