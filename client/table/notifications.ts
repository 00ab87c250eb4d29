/**
 * System notifications for a player who looks elsewhere, if they have asked for them: from the page
 * while it is open, and from the server, through the browser's push service, when it is closed.
 */
import * as api from "../api";
import { remembered } from "../storage";

const wanted = remembered("notify", "no");
const told = remembered("push", ""); // what the server was last told of this device

export const canNotify = (): boolean => "Notification" in globalThis && isSecureContext;
export const isNotifying = (): boolean =>
  canNotify() && wanted.get() === "yes" && Notification.permission === "granted";

export async function setNotifying(on: boolean): Promise<boolean> {
  const granted = on && (await Notification.requestPermission()) === "granted";
  wanted.set(granted ? "yes" : "no");
  if (!granted) await endCalls();
  return granted;
}

export function callToTurn(title: string, body: string, tag: string): void {
  if (!isNotifying()) return;
  const options = { body, tag, icon: "/icon-192.png", data: `/t/${tag}` };
  void navigator.serviceWorker?.getRegistration().then((worker) => {
    if (worker) void worker.showNotification(title, options);
    else new Notification(title, options);
  });
}

/**
 * Tell the server where this device is called, if that has changed. Without a push service, as in
 * some browsers, only the open page calls.
 */
export async function keepCalls(guest: string, language: string): Promise<void> {
  if (!isNotifying()) return;
  try {
    const push = await pushManager();
    const found = push && ((await push.getSubscription()) ?? (await subscribed(push)));
    const { endpoint, keys } = found?.toJSON() ?? {};
    const { p256dh, auth } = keys ?? {};
    const now = [guest, language, endpoint].join(" ");
    if (!endpoint || !p256dh || !auth || now === told.get()) return;
    await api.subscribe({ endpoint, p256dh, auth, language });
    told.set(now);
  } catch {
    // The next visit tries again.
  }
}

async function endCalls(): Promise<void> {
  told.set("");
  try {
    const found = await (await pushManager())?.getSubscription();
    if (!found) return;
    await found.unsubscribe();
    await api.unsubscribe(found.endpoint);
  } catch {
    // The push service tells the server when it calls in vain.
  }
}

async function pushManager(): Promise<PushManager | undefined> {
  return (await navigator.serviceWorker?.getRegistration())?.pushManager;
}

async function subscribed(push: PushManager): Promise<PushSubscription> {
  const { key } = await api.pushKey();
  return push.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
}

function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
