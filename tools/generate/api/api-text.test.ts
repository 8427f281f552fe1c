import { catalogue } from '@portreeve/server/catalogue.ts';
import { integer } from '@portreeve/server/kernel/declare/field.ts';
import { openApiDocument } from '@portreeve/server/kernel/documents/openapi.ts';
import { resource } from '@portreeve/server/kernel/operations/resource.ts';
import { describeOperations } from '@portreeve/server/node/describe-operations.ts';
import { documentInfo } from '@portreeve/server/node/document-info.ts';
import { modelFor } from '@portreeve/server/node/start-service.ts';
import { teaMachine } from '@portreeve/server/test/overlay/tea-machine.ts';
import { describe, expect, test } from 'vitest';
import type { ApiDocument } from './api-document.ts';
import { apiTexts } from './api-text.ts';
import { breaksBetween } from './compare-api.ts';

const textsOf = (groups: typeof catalogue): Readonly<Record<string, string>> =>
  apiTexts(openApiDocument(describeOperations(groups), modelFor(groups), documentInfo) as ApiDocument);

const withTea = (declaration: typeof teaMachine): Readonly<Record<string, string>> =>
  textsOf([...catalogue, resource('Tea machine', declaration)]);

/** Returns the lines that one text has and the other has not. */
const linesBeyond = (text: string, reference: string): string[] => {
  const referenceLines = new Set(reference.split('\n'));
  return text.split('\n').filter((line) => !referenceLines.has(line));
};

describe('the text of a group', () => {
  const before = withTea(teaMachine);
  const changed = withTea({
    ...teaMachine,
    fields: {
      ...teaMachine.fields,
      cupsMax: integer({ min: 1, max: 50, default: 8, doc: 'Cups before it wants water.' }),
    },
  });

  test('has a line for each operation and each field', () => {
    const lines = before['tea-machine']!.split('\n');
    expect(lines).toContain('TeaMachine.cupsMax  integer 1..100  write  default 8  filter sort');
    expect(lines).toContain('TeaMachine.name  text 1..60  write required  filter sort search');
    expect(lines).toContain('TeaMachineInput.pin  text 4..20 | null  secret  default null');
    expect(lines.filter((line) => line.startsWith('tea-machine.fetch  '))).toEqual([
      'tea-machine.fetch  GET /settings/kitchen/tea-machine/{id}  view system-settings  takes fields  returns 200 TeaMachine  refuses forbidden not-found',
    ]);
  });

  test('has a few dozen lines for a plain group, and adds none to other groups', () => {
    expect(before['tea-machine']!.split('\n').length).toBeLessThan(60);
    const without = textsOf(catalogue);
    for (const [name, text] of Object.entries(without))
      expect([name, linesBeyond(before[name]!, text)]).toEqual([name, []]);
  });

  test('shows a changed bound as one line', () => {
    const names = Object.keys(before).filter((name) => before[name] !== changed[name]);
    expect(names).toEqual(['tea-machine']);
    expect(linesBeyond(changed['tea-machine']!, before['tea-machine']!)).toEqual([
      'TeaMachine.cupsMax  integer 1..50  write  default 8  filter sort',
    ]);
    expect(linesBeyond(before['tea-machine']!, changed['tea-machine']!)).toHaveLength(1);
  });

  test('is compared: the record, and its copy in the entries of the feed', () => {
    expect(breaksBetween(Object.values(before), Object.values(changed))).toEqual([
      { key: 'TeaMachine.cupsMax', what: 'tightened bound: integer 1..100 to integer 1..50' },
    ]);
    expect(breaksBetween(Object.values(changed), Object.values(before))).toEqual([]);
  });
});
