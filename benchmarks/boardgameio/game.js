// Stupide Vautour in boardgame.io's terms: sealed bids, fifteen rounds, everyone bids at once.

const { ActivePlayers, INVALID_MOVE } = require("boardgame.io/core");

const CARDS = 15;
const POINTS = [-5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

function setup({ ctx, random }) {
  const seats = ctx.numPlayers;
  const pile = random.Shuffle(POINTS);
  const series = Array.from({ length: CARDS }, (_, i) => i + 1);
  return {
    pile,
    round: 1,
    stake: pile.pop(),
    hands: Array.from({ length: seats }, () => [...series]),
    bids: Array(seats).fill(0),
    laid: Array(seats).fill(0), // bids that each seat has made so far
    tops: Array(seats).fill(0),
    scores: Array(seats).fill(0),
  };
}

function bid({ G, playerID }, value) {
  const seat = Number(playerID);
  if (G.bids[seat] !== 0 || !G.hands[seat].includes(value)) return INVALID_MOVE;
  G.hands[seat] = G.hands[seat].filter((card) => card !== value);
  G.bids[seat] = value;
  G.laid[seat] += 1;
  if (G.bids.every((b) => b > 0)) endRound(G);
}

function endRound(G) {
  const taker = bestBidder(G);
  if (taker >= 0) {
    G.scores[taker] += G.stake;
    G.stake = 0;
  }
  G.tops = G.bids;
  G.bids = G.bids.map(() => 0);
  if (G.pile.length === 0) return;
  G.stake += G.pile.pop();
  G.round += 1;
}

/** The highest bid takes meerkats, the lowest takes vultures; equal bids knock each other out. */
function bestBidder(G) {
  const sign = G.stake >= 0 ? 1 : -1;
  const ranks = G.bids.map((b) => sign * b).sort((a, b) => b - a);
  const next = ranks.find((rank) => rank < ranks[0]);
  const best = [ranks[0], next].find((rank) => ranks.filter((r) => r === rank).length === 1);
  return best === undefined ? -1 : G.bids.indexOf(sign * best);
}

const isOver = (G) => G.laid.every((count) => count === CARDS);

/** Bids lie face down until all are in; hands, scores and the pile are nobody else's business. */
function playerView({ G, ctx, playerID }) {
  if (ctx.gameover) return G;
  const own = (seat) => String(seat) === playerID;
  return {
    ...G,
    pile: [],
    hands: G.hands.map((hand, seat) => (own(seat) ? hand : [])),
    bids: G.bids.map((value, seat) => (own(seat) || value === 0 ? value : -1)),
    scores: G.scores.map((score, seat) => (own(seat) ? score : null)),
  };
}

module.exports = {
  name: "vautour",
  minPlayers: 4,
  maxPlayers: 4,
  setup,
  playerView,
  turn: { activePlayers: ActivePlayers.ALL },
  // Simultaneous bids: none of them is stale because another came in before it.
  moves: { bid: { move: bid, client: false, redact: true, ignoreStaleStateID: true } },
  endIf: ({ G }) => (isOver(G) ? { scores: G.scores } : undefined),
};
