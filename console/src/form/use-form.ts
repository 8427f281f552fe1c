import { useSyncExternalStore } from 'react';
import type { Entry } from './entry.ts';
import type { FormState } from './form-state.ts';

/** Subscribes to one field; other fields do not render the component again. */
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

/** Subscribes to all fields. */
export const useChanges = (form: FormState): number =>
  useSyncExternalStore(
    (onChange) => form.listen(undefined, onChange),
    () => form.changes,
  );
