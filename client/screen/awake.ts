/** Keeps the screen from going dark while the page is seen; where that is not possible, it may. */
export function stayAwake(): () => void {
  let lock: WakeLockSentinel | undefined;
  const hold = async () => {
    if (document.visibilityState !== "visible") return; // the browser lets go by itself
    lock = await navigator.wakeLock?.request("screen").catch(() => undefined);
  };
  void hold();
  document.addEventListener("visibilitychange", hold);
  return () => {
    document.removeEventListener("visibilitychange", hold);
    void lock?.release();
  };
}
