const lengthMax = 200;

let collected: string | undefined;

/**
 * Collects the typed text until `takeTypeAhead` is called. The palette gets the focus only after its chunk is loaded and rendered; until
 * then, letters would be lost or would run single-key shortcuts of the page behind it.
 */
export function startTypeAhead(): void {
  if (collected !== undefined) return;
  collected = '';
  window.addEventListener('keydown', collect, { capture: true });
}

/** Stops collecting and returns the text. */
export function takeTypeAhead(): string {
  const text = collected ?? '';
  collected = undefined;
  window.removeEventListener('keydown', collect, { capture: true });
  return text;
}

function collect(event: KeyboardEvent): void {
  const { key } = event;
  if (key === 'Escape') takeTypeAhead();
  if (collected === undefined || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (key === 'Backspace') collected = collected.slice(0, -1);
  else if (key.length === 1) collected = (collected + key).slice(0, lengthMax);
  else if (key !== 'Enter') return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
