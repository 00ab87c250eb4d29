/** Copy a text; pages without a certificate have no clipboard, so an old way is tried too. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  const place = document.querySelector("dialog[open]") ?? document.body;
  place.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
