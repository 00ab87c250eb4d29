/** System notifications for a player who looks elsewhere, if they have asked for them. */
import { remembered } from "../storage";

const wanted = remembered("notify", "no");

export const canNotify = (): boolean => "Notification" in globalThis && isSecureContext;
export const isNotifying = (): boolean =>
  canNotify() && wanted.get() === "yes" && Notification.permission === "granted";

export async function setNotifying(on: boolean): Promise<boolean> {
  const granted = on && (await Notification.requestPermission()) === "granted";
  wanted.set(granted ? "yes" : "no");
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
