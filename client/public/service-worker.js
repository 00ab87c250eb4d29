// What the page needs without a network. The build fills in its number and its files, so a new
// build is a new worker, which keeps its own files and drops those of the builds before.
const BUILD = "__BUILD__";
const FILES = ["__FILES__"];
const LANGUAGES = ["fr", "en", "de"];
const KEPT = "X-Kept"; // marks an answer that is not from the server, for the page to know
// What the server tells that is the same a while later. How far it is with something is not.
const LASTING = /^\/api\/(games|games\/[^/]+\/(lessons\/[^/]+|pictures)|words\/[^/]+)$/;

self.addEventListener("install", (event) => {
  event.waitUntil(keepAll());
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((n) => n !== BUILD).map((n) => caches.delete(n))))
      .then(() => self.clients.claim()),
  );
});

// Files in /assets/ never change under their names; pages, words and lessons are asked for first.
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  const path = url.pathname;
  if (isFile(path)) event.respondWith(kept(event));
  else if (LASTING.test(path)) event.respondWith(asked(event, request));
  else if (request.mode === "navigate" && !path.startsWith("/api/"))
    event.respondWith(asked(event, "/"));
});

// The server calls to a turn; the message is in the reader's language.
self.addEventListener("push", (event) => {
  const { title, body, table, language } = event.data.json();
  const options = { body, lang: language, tag: table, icon: "/icon-192.png", data: `/t/${table}` };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data ?? "/"));
});

/** Keep the page, its words, and every lesson. */
async function keepAll() {
  const cache = await caches.open(BUILD);
  const words = LANGUAGES.map((language) => `/api/words/${language}`);
  await cache.addAll(["/", "/api/games", ...FILES, ...words]);
  const games = await (await cache.match("/api/games")).json();
  await cache.addAll(
    games.flatMap(({ game, lessons }) =>
      lessons.map((lesson) => `/api/games/${game}/lessons/${lesson}`),
    ),
  );
}

const isFile = (path) => path.startsWith("/assets/") || FILES.includes(path);

async function kept(event) {
  const { request } = event;
  const cache = await caches.open(BUILD);
  const found = await cache.match(request);
  if (found) return found;
  const answer = await fetch(request);
  put(event, cache, request, answer);
  return answer;
}

/** The server's answer, or the one that was last kept under this name. */
async function asked(event, name) {
  const cache = await caches.open(BUILD);
  try {
    const answer = await fetch(event.request);
    put(event, cache, name, answer);
    return answer;
  } catch (error) {
    const found = await cache.match(name);
    if (found) return marked(found);
    throw error;
  }
}

/** Nobody waits for this, and nobody misses it: the storage may be full. */
function put(event, cache, name, answer) {
  if (answer.ok) event.waitUntil(cache.put(name, answer.clone()).catch(() => {}));
}

function marked(found) {
  const headers = new Headers(found.headers);
  headers.set(KEPT, BUILD);
  return new Response(found.body, { status: found.status, headers });
}

/** Another page stays what it is: it may be a screen for the room, or another match. */
async function show(path) {
  const pages = await self.clients.matchAll({ type: "window" });
  const open = pages.find((page) => new URL(page.url).pathname === path);
  return open ? open.focus() : self.clients.openWindow(path);
}
