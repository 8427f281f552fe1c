import type { Answer } from '@portreeve/sdk/runtime.ts';
import type { VerbContext } from '../context.ts';
import { line } from '../output.ts';
import type { JsonObject } from '../set.ts';
import { Table } from '../table.ts';
import { counted, grouped, harmlessJson } from '../text.ts';

/** Connections that are shown to people; scripts get as many as the service answers at once. */
const shownMax = 20;
const answeredMax = 1_000;

interface Access {
  outcome: string;
  accessState: string | null;
  policyName: string | null;
  value: { accessType: string; accessValue: string } | null;
}

interface Change {
  mac: string;
  hostID: number;
  hostName: string | null;
  location: string | null;
  before: Access;
  after: Access;
  enforcement: string | null;
  interrupts: boolean;
  unresolved: boolean;
}

/** Whether the answer will be the live connections that the write would change. */
export const showsImpact = ({ args, document, verb }: VerbContext): boolean =>
  args.has('dry-run') && document.parameters(verb.operation).some(({ name }) => name === 'maxImpact');

/** How many of them to ask for. */
export const impactQuery = (context: VerbContext): { count?: number } =>
  showsImpact(context) && !context.args.has('count')
    ? { count: context.args.has('json') ? answeredMax : shownMax }
    : {};

/** Prints how many connections would change, and the first of them. */
export async function emitImpact({ screen, args, document }: VerbContext, answer: Answer<JsonObject>): Promise<void> {
  const { results, filtered = results.length, total } = answer;
  const changes = results as unknown as Change[];
  if (args.has('json')) await line(screen.out, harmlessJson({ filtered, total, results }, 2));
  else if (total === undefined) await line(screen.out, 'Which connections this changes cannot be said before.');
  else {
    await line(screen.out, `${grouped(filtered)} of ${counted(total, 'live connection')} would change.`);
    await new Table(screen.out, undefined, document, { columns }).print(changes.map(rowOf));
    if (filtered > changes.length)
      await line(
        screen.err,
        screen.err.style(
          'dim',
          `${grouped(filtered - changes.length)} more; --json shows up to ${grouped(answeredMax)}.`,
        ),
      );
  }
  await line(screen.err, screen.err.style('yellow', 'Dry run: nothing was changed.'));
}

const columns = ['host', 'mac', 'location', 'before', 'after', 'by'];

const rowOf = ({ mac, hostID, hostName, location, before, after, ...how }: Change): JsonObject => ({
  host: hostName || `#${hostID}`,
  mac,
  location: location ?? '',
  before: accessText(before),
  after: `${accessText(after)}${how.unresolved ? ' (no value here)' : ''}`,
  by: `${how.enforcement ?? ''}${how.interrupts ? ', interrupts' : ''}`,
});

/** `PRODUCTION VLAN 30 Cameras`: the state, what the device is given, and the policy. */
function accessText({ outcome, accessState, policyName, value }: Access): string {
  if (outcome === 'NOT_ENFORCED') return 'not enforced';
  const given = value && `${value.accessType.replace(/^VLAN_(ID|NAME)$/, 'VLAN')} ${value.accessValue}`.trim();
  return [outcome === 'DENY' ? 'DENY' : accessState, given, policyName].filter(Boolean).join(' ');
}
