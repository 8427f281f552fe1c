import { type Collection, settings } from '../../kernel/declare.ts';
import { eventType } from '../../kernel/event-type.ts';
import { observed } from '../../kernel/field.ts';
import { integerMax } from '../../kernel/shape.ts';

export const scanStates = ['IDLE', 'RUNNING', 'STOPPING', 'DONE'] as const;

export const l3ScanCompleted = eventType({
  name: 'L3_SCAN_COMPLETED',
  description: 'It is known which devices route, and so know the addresses of hosts.',
  category: 'DEVICE',
  elementType: 0,
  format: 'L3 scan is complete: {scanned} of {total} devices; recommended and not polled yet: {recommended}.',
});

const count = (doc: string) => observed<number>({ kind: 'integer', min: 0, max: 2_147_483_647 }, 0, doc);
const instant = (doc: string) => observed<string | null>({ kind: 'time', nullable: true }, null, doc);

/** The search for devices that route, and so know which address belongs to which MAC; the cell has one at a time. */
export const l3Scan: Collection = {
  ...settings({
    name: 'l3-scan',
    title: 'L3 scan',
    path: '/device/l3scan',
    permission: 'discovery',
    doc: 'Which devices route, so that polling of their address tables is enabled on the right ones.',
    events: { elementType: 0 },
    fields: {
      state: observed<(typeof scanStates)[number]>(
        { kind: 'choice', values: scanStates },
        'IDLE',
        'IDLE: there was none yet. DONE: also after it was stopped.',
      ),
      startedBy: observed<string>({ kind: 'text', max: 120 }, '', 'Who asked for the last one.'),
      startedAt: instant('When it began.'),
      finishedAt: instant('When it ended.'),
      total: count('Devices to look at.'),
      scanned: count('Devices that were looked at.'),
      taskID: observed<number | null>(
        { kind: 'integer', min: 1, max: integerMax, nullable: true },
        null,
        'Its background task: while that is open, somebody is at it, or will be.',
      ),
    },
  }),
  patterns: [],
};
