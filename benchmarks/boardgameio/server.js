// boardgame.io's own server with its own storage, in memory. Usage: node server.js PORT

const { Server } = require("boardgame.io/server");
const game = require("./game");

const here = { host: "127.0.0.1", port: Number(process.argv[2]) };
Server({ games: [game], origins: ["http://127.0.0.1"] }).run({ port: here });
