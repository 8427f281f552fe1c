import type { KeptEvent } from './kernel/declare/embedded-event.ts';

/**
 * The tables that `context.db` reads. Those of a group are added by its own declaration (`declare module '../../database.ts'`), where
 * something reads it so: a group that needs no typed reads adds none.
 */
export interface Database {
  /** Rows of each log by the first day of their slice. */
  log_slice_count: { log: string; day: string; rows: number };
  /** The newest event of each name for elements whose record embeds it. */
  latest_event: { element_type: number; element_id: number; name: string; event: KeptEvent };
}
