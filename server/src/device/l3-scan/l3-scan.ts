import { type Collection, settings } from '../../kernel/declare/declaration.ts';
import { observed } from '../../kernel/declare/field.ts';
import { shapes } from '../../kernel/declare/shapes.ts';

export const scanStates = ['IDLE', 'RUNNING', 'STOPPING', 'DONE'] as const;

const count = (doc: string) => observed<number>({ kind: 'integer', min: 0, max: 2_147_483_647 }, 0, doc);
const instant = (doc: string) => observed<string | null>({ kind: 'time', nullable: true }, null, doc);

/** The search for devices that route and therefore have an ARP table; the cell has one at a time. */
export const l3Scan: Collection = {
  ...settings({
    name: 'l3-scan',
    title: 'L3 scan',
    path: '/device/l3scan',
    permission: 'discovery',
    doc: 'Finds devices that route, so that ARP polling can be enabled on them.',
    events: { elementType: 0 },
    fields: {
      state: observed<(typeof scanStates)[number]>(
        { kind: 'choice', values: scanStates },
        'IDLE',
        'IDLE: never run. DONE: ended or stopped.',
      ),
      startedBy: observed<string>({ kind: 'text', max: 120 }, '', 'User who started the last scan.'),
      startedAt: instant('When it started.'),
      finishedAt: instant('When it ended.'),
      total: count('Devices to scan.'),
      scanned: count('Devices already scanned.'),
      taskID: observed<number | null>(
        { ...shapes.id, nullable: true },
        null,
        'Its background task; while that task is open, a node runs or will run the scan.',
      ),
    },
  }),
  patterns: [],
};
