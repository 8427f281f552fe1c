import { resource } from '../../context.ts';
import { radiusDictionaryEntryActions } from './radius-dictionary-entry.actions.ts';
import { radiusDictionary } from './radius-dictionary-entry.jobs.ts';
import { radiusDictionaryEntryRules } from './radius-dictionary-entry.rules.ts';
import { radiusDictionaryEntry } from './radius-dictionary-entry.ts';

export const radiusDictionaryEntryModule = resource('Dictionary configuration', radiusDictionaryEntry, {
  actions: radiusDictionaryEntryActions,
  rules: radiusDictionaryEntryRules,
  reconcilers: [radiusDictionary],
});
