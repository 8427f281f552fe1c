import type { InputField } from '../document/group.ts';
import { controlOf, type Entry } from './entry.ts';
import type { FormState } from './form-state.ts';

/** Unsaved entries of a form, kept until the window is closed. */
interface Draft {
  at: string;
  entries: Record<string, Entry>;
}

const prefix = 'draft ';

/** Secrets are never stored. Neither are values that can only be entered as JSON: they may contain a secret. */
const isKept = (field: InputField): boolean => {
  const control = controlOf(field);
  return control !== 'secret' && (control !== 'code' || field.parts !== undefined || field.isSchedule === true);
};

export const draftName = (user: string, operation: string, id: string | null): string =>
  `${prefix}${user} ${operation} ${id ?? ''}`;

/** Stores the changed entries, or deletes the draft if nothing is changed. */
export function keepDraft(name: string, form: FormState): void {
  const entries = form.changed.filter(isKept).map((field) => [field.name, form.entry(field.name)] as const);
  if (entries.length === 0) {
    dropDraft(name);
    return;
  }
  const draft: Draft = { at: new Date().toISOString(), entries: Object.fromEntries(entries) };
  try {
    sessionStorage.setItem(name, JSON.stringify(draft));
  } catch {
    // Storage can be disabled or full. Then there is no draft.
  }
}

export const dropDraft = (name: string): void => sessionStorage.removeItem(name);

/** Restores a draft into a form and returns the time it was stored. */
export function takeDraft(name: string, form: FormState): string | undefined {
  const storedText = sessionStorage.getItem(name);
  if (storedText === null) return undefined;
  const { at: savedAt, entries } = JSON.parse(storedText) as Draft;
  const fields = form.fields.filter((field) => isKept(field) && Object.hasOwn(entries, field.name));
  for (const { name: field } of fields) form.set(field, entries[field]!);
  return fields.length > 0 ? savedAt : undefined;
}
