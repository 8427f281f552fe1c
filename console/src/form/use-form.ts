import { useSyncExternalStore } from 'react';
import type { Entry } from './entry.ts';
import type { FormState } from './form-state.ts';

/** Draws again when this field changes, and only then. */
export function useEntry(
  form: FormState,
  name: string,
): { entry: Entry; fault: string | undefined; isChanged: boolean } {
  const listen = (onChange: () => void) => form.listen(name, onChange);
  const entry = useSyncExternalStore(listen, () => form.entry(name));
  const fault = useSyncExternalStore(listen, () => form.fault(name));
  const isChanged = useSyncExternalStore(listen, () => form.isChanged(name));
  return { entry, fault, isChanged };
}

/** Draws again when any field changes. */
export const useChanges = (form: FormState): number =>
  useSyncExternalStore(
    (onChange) => form.listen(undefined, onChange),
    () => form.changes,
  );
