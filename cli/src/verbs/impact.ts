import type { Answer } from '@portreeve/sdk/runtime.ts';
import type { VerbContext } from '../context.ts';
import { outputOptionsFrom } from '../formats.ts';
import { line } from '../output.ts';
import { printValue } from '../printer.ts';
import type { JsonObject } from '../set.ts';
import { Table } from '../table.ts';
import { refuseFailed, taskOf, watchTask } from '../tasks.ts';
import { counted, grouped } from '../text.ts';
import { emitWritten } from './written.ts';

/** Connections that a table shows. Other formats print one page of the service. */
const shownMax = 20;
const answeredMax = 1_000;

interface Access {
  outcome: string;
  accessState: string | null;
  policyName: string | null;
  value: { accessType: string; accessValue: string } | null;
}

/** The host fields are null without the permission to view hosts. */
interface Change {
  mac: string | null;
  hostID: number | null;
  hostName: string | null;
  location: string | null;
  before: Access;
  after: Access;
  enforcement: string | null;
  interrupts: boolean;
  unresolved: boolean;
}

/** Returns whether the response contains the live connections that the write would change. */
export const reportsImpact = ({ args, document, verb }: VerbContext): boolean =>
  args.has('dry-run') && document.parameters(verb.operation).some(({ name }) => name === 'maxImpact');

/** Returns the number of connections to request. */
export const impactQuery = (context: VerbContext): { count?: number } =>
  reportsImpact(context) && !context.args.has('count')
    ? { count: outputOptionsFrom(context.args).format === 'table' ? shownMax : answeredMax }
    : {};

/** Maximum number of requests for a dry run that is compared in the background: policies may change in between. */
const attemptsMax = 4;

/** Sends a write. If a background task compares the connections of a dry run, the dry run is sent again after the task. */
export async function sendImpact<T extends Answer>(context: VerbContext, send: () => Promise<T>): Promise<T> {
  const { screen, client, args } = context;
  for (let attempt = 1; ; attempt++) {
    const answer = await send();
    const task = reportsImpact(context) && !args.has('no-wait') && attempt < attemptsMax ? taskOf(answer) : undefined;
    const ended = task === undefined ? undefined : await watchTask(screen, client, task);
    if (!ended) return answer;
    refuseFailed(task!, ended);
  }
}

/** Prints the number of connections that would change, and the first of them. */
export async function emitImpact(context: VerbContext, answer: Answer<JsonObject>): Promise<void> {
  if (taskOf(answer) !== undefined) return emitWritten(context, answer, '');
  const { results, filtered = results.length, total } = answer;
  const isPrinted = await printValue(context, { filtered, total, results }, 2);
  if (!isPrinted) await printImpact(context, results as unknown as Change[], filtered, total);
  const { err } = context.screen;
  await line(err, err.style('yellow', 'Dry run: nothing was changed.'));
}

async function printImpact(
  { screen, document }: VerbContext,
  changes: readonly Change[],
  filtered: number,
  total: number | undefined,
): Promise<void> {
  if (total === undefined) return line(screen.out, 'The affected connections cannot be determined in advance.');
  await line(screen.out, `${grouped(filtered)} of ${counted(total, 'live connection')} that you may see would change.`);
  await new Table(screen.out, undefined, document, { columns }).print(changes.map(rowOf));
  const remainingCount = filtered - changes.length;
  if (remainingCount > 0)
    await line(
      screen.err,
      screen.err.style('dim', `${grouped(remainingCount)} more; --json shows up to ${grouped(answeredMax)}.`),
    );
}

const columns = ['host', 'mac', 'location', 'before', 'after', 'by'];

const rowOf = ({ mac, hostID, hostName, location, before, after, ...how }: Change): JsonObject => ({
  host: hostName || (hostID === null ? '' : `#${hostID}`),
  mac: mac ?? '',
  location: location ?? '',
  before: accessText(before),
  after: `${accessText(after)}${how.unresolved ? ' (no value here)' : ''}`,
  by: [how.enforcement?.toLowerCase().replaceAll('_', ' '), how.interrupts && 'interrupts'].filter(Boolean).join(', '),
});

/** Formats an access, such as `PRODUCTION VLAN 30 Cameras`: access state, access value and policy. */
function accessText({ outcome, accessState, policyName, value }: Access): string {
  if (outcome === 'NOT_ENFORCED') return 'not enforced';
  const valueText = value && `${value.accessType.replace(/^VLAN_(ID|NAME)$/, 'VLAN')} ${value.accessValue}`.trim();
  return [outcome === 'DENY' ? 'DENY' : accessState, valueText, policyName].filter(Boolean).join(' ');
}
