import { useEffect, useRef } from 'react';

/** Functions by shortcut: a `KeyboardEvent.key`, `Ctrl k`, or `g h` for two keys in sequence. */
export type Keys = Readonly<Record<string, () => void>>;

/** Returns whether shortcuts are disabled for the event target: in text inputs and in dialogs, which are not about the page behind them. */
const isTextInput = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, [contenteditable], [role="dialog"]') !== null;

const nameOf = ({ key, ctrlKey, metaKey }: KeyboardEvent): string =>
  ctrlKey || metaKey ? `Ctrl ${key.toLowerCase()}` : key;

/** Single-key shortcuts can be disabled, because speech input and accidental key presses trigger them. */
let hasSingleKeys = true;
export const areSingleKeysOn = (): boolean => hasSingleKeys;
export const switchSingleKeys = (isOn: boolean): void => {
  hasSingleKeys = isOn;
};
const isSingle = (name: string): boolean => /^.( .)?$/u.test(name);

/** First keys of sequences. */
const firstKeys: ReadonlySet<string> = new Set(['g']);
const secondMsMax = 1_500;
let first: { name: string; ms: number } | undefined;
let pressed = '';
// In the capture phase, so that it runs before the listeners of useKeys.
window.addEventListener(
  'keydown',
  (event) => {
    const name = nameOf(event);
    if (name === 'Shift') return;
    const isSecond = first !== undefined && event.timeStamp - first.ms < secondMsMax;
    pressed = isSecond ? `${first!.name} ${name}` : name;
    const isFirst = !isSecond && firstKeys.has(name) && !isTextInput(event.target);
    first = isFirst ? { name, ms: event.timeStamp } : undefined;
  },
  { capture: true },
);

/** Binds shortcuts while the component is mounted. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const name = pressed;
      const action = current.current[name];
      if (!action || event.altKey || event.defaultPrevented) return;
      if (isSingle(name) && !hasSingleKeys) return;
      if (isTextInput(event.target) && !name.startsWith('Ctrl ')) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
