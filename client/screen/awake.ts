/** Keeps the screen from going dark while the page is seen; where that is not possible, it may. */
export function stayAwake(): () => void {
  let lock: WakeLockSentinel | undefined;
  let isLeft = false;
  const hold = async () => {
    if (document.visibilityState !== "visible") return; // the browser lets go by itself
    lock = await navigator.wakeLock?.request("screen").catch(() => undefined);
    if (isLeft) void lock?.release(); // it came too late
  };
  void hold();
  document.addEventListener("visibilitychange", hold);
  return () => {
    isLeft = true;
    document.removeEventListener("visibilitychange", hold);
    void lock?.release();
  };
}
