import { expect, test } from 'vitest';
import { drawDecision, type ExplainedDecision } from './explained-decision.ts';

const pen = { style: (_: unknown, text: string) => text, width: undefined };

const entry = (attributes: object) => ({
  step: 7,
  kind: 'ACCESS',
  id: 1,
  name: 'Cameras',
  rank: 1,
  result: 'MATCH',
  checks: [],
  ...attributes,
});

const decision = (trace: object[], attributes: object = {}): ExplainedDecision =>
  ({
    at: '2026-01-31T08:15:00.000Z',
    mac: '00:1D:09:00:00:01',
    userName: null,
    outcome: 'GRANT',
    accessState: 'PRODUCTION',
    logicalNetwork: 'Cameras',
    value: { accessType: 'VLAN_ID', accessValue: '30', source: 'CONTAINER' },
    families: { authentication: null, compliance: null, portal: null, supplicant: null },
    reason: 'Access policy Cameras grants Cameras.',
    trace,
    ...attributes,
  }) as ExplainedDecision;

test('drawDecision prints the reason, the source of the value, and one line per step with the first failed check', () => {
  const checks = [
    { section: 'roles', expected: ['Camera'], actual: 'Camera', ok: true },
    { section: 'where', expected: ['port group: Hall A'], actual: ['sw-3 Gi1/0/7', 'container: Hall B'], ok: false },
  ];
  const lines = drawDecision(
    decision([
      entry({ step: 1, id: null, name: 'Not governed', rank: null, result: 'NO_MATCH' }),
      entry({ name: 'Hall A', result: 'NO_MATCH', checks }),
      entry({ rank: 2 }),
      entry({ rank: 3, name: 'Rest', result: 'NOT_REACHED_WOULD_MATCH' }),
    ]),
    pen,
  );
  expect(lines).toEqual([
    '00:1D:09:00:00:01, 2026-01-31T08:15:00.000Z',
    'Access policy Cameras grants Cameras.',
    'GRANT PRODUCTION, logical network Cameras, VLAN_ID 30 from a container',
    '',
    '✗ 1 Not governed',
    '✗ 7 1. Hall A                          where: requires port group: Hall A; actual sw-3 Gi1/0/7, container: Hall B',
    '✓ 7 2. Cameras',
    '+ 7 3. Rest',
  ]);
});

test('drawDecision fits a thousand policies on one screen, including the deciding one', () => {
  const trace = Array.from({ length: 1_000 }, (_, n) =>
    entry({ rank: n + 1, result: n === 700 ? 'MATCH' : 'NO_MATCH' }),
  );
  const lines = drawDecision(decision(trace), pen);
  expect(lines.length).toBeLessThan(24);
  expect(lines.find((line) => line.startsWith('✓'))).toContain('701. Cameras');
  expect(lines.at(-1)).toContain('987 more; --json shows all');
});

test('drawDecision escapes markup, control characters and direction marks in names', () => {
  const name = '<script>\u001b[31m\u202eevil';
  const lines = drawDecision(
    decision([entry({ name })], { reason: `Access policy ${name} grants.`, userName: name }),
    pen,
  );
  for (const character of ['\u001b', '\u202e']) expect(lines.join('\n')).not.toContain(character);
  expect(lines.join('\n')).toContain('<script>\\x1b[31m\\u{202e}evil');
});
