import { useEffect, useRef } from 'react';

/** What a key does, by its name as `KeyboardEvent.key` has it; `Ctrl k`; `g h` is one after the other. */
export type Keys = Readonly<Record<string, () => void>>;

/** Single keys work everywhere but where somebody writes, and in a dialog, which is about something else than the page behind it. */
const isTextInput = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, [contenteditable], [role="dialog"]') !== null;

const nameOf = ({ key, ctrlKey, metaKey }: KeyboardEvent): string =>
  ctrlKey || metaKey ? `Ctrl ${key.toLowerCase()}` : key;

/** Keys of one character, which a voice or a slip presses too, can be switched off. */
let hasSingleKeys = true;
export const areSingleKeysOn = (): boolean => hasSingleKeys;
export const switchSingleKeys = (isOn: boolean): void => {
  hasSingleKeys = isOn;
};
const isSingle = (name: string): boolean => /^.( .)?$/u.test(name);

/** Keys that wait for a second one. */
const firstKeys: ReadonlySet<string> = new Set(['g']);
const secondMsMax = 1_500;
let first: { name: string; ms: number } | undefined;
let pressed = '';
// Before any part that binds keys hears of it.
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

/** Binds keys for as long as the part that asks for them is on screen. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const name = pressed;
      const act = current.current[name];
      if (!act || event.altKey || event.defaultPrevented) return;
      if (isSingle(name) && !hasSingleKeys) return;
      if (isTextInput(event.target) && !name.startsWith('Ctrl ')) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
