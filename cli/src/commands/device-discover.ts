import { readFile } from 'node:fs/promises';
import { operations } from '@portreeve/sdk/generated/operations.ts';
import type { Client } from '@portreeve/sdk/runtime.ts';
import type { Arguments } from '../args.ts';
import { readSecret } from '../ask.ts';
import type { Command } from '../command.ts';
import { clientOf, findConnection, reasonOption } from '../connection.ts';
import { containerFrom } from '../container.ts';
import { shippedDocument } from '../document.ts';
import { line, type Screen } from '../output.ts';
import type { JsonObject } from '../set.ts';
import { Table } from '../table.ts';
import { refuseFailed, taskOf, watchTask } from '../tasks.ts';
import { counted, escapedJson, escapeUnsafe, grouped } from '../text.ts';
import { UsageError } from '../usage-error.ts';

const discover = operations['discovery-run.discover'];
const statusOf = operations['discovery-run.status'];

interface Run {
  containerName: string;
  state: string;
  addressesProbed: number;
  devicesAdded: number;
  devicesUpdated: number;
  skipped: number;
  errors: number;
  items: ({ outcome: string } & JsonObject)[];
}

export const deviceDiscover: Command = {
  name: 'device discover',
  positionals: ['RANGE…'],
  doc: 'Discover network devices in address ranges and add them',
  about: [
    'RANGE is a network (10.0.0.0/24), a range (10.0.0.1-10.0.0.9) or an address.',
    'Without --community-file and --credentials the SNMP community is prompted for, or read from standard input.',
  ],
  options: {
    container: { value: 'NAME|ID', doc: 'Container for new devices (default: the root of the topology)' },
    'community-file': {
      value: 'FILE',
      completes: 'files',
      doc: 'File with one SNMP community per line, tried in this order',
    },
    credentials: {
      value: 'FILE',
      completes: 'files',
      doc: 'JSON list of credentials, in the format of the API operation',
    },
    'snmp-port': { value: 'N', doc: 'SNMP port of the devices (default: 161)' },
    seed: { value: 'ADDRESS', many: true, doc: 'Start address; neighbours within the ranges are followed' },
    hops: { value: 'N', doc: 'Maximum number of hops when following neighbours' },
    pingable: { doc: 'Also add devices that respond only to ping' },
    rate: { value: 'N', doc: 'Addresses to probe per second (default: 50)' },
    watch: { short: 'w', doc: 'Show a progress bar, then the results' },
    json: { doc: 'Print JSON, for scripts' },
    ...reasonOption,
    url: { value: 'URL', doc: 'URL of the service' },
    token: { value: 'TOKEN', doc: 'API token' },
  },
  async run(args, screen) {
    const ranges = args.positionals.map(rangeFrom);
    const client = clientOf(await findConnection(args, screen.env), args);
    const answer = await client.call(discover, {
      body: {
        containerID: await containerFrom(client, args.text('container')),
        ranges,
        credentials: await credentialsFrom(args),
        ...(args.has('seed') && { seeds: args.texts('seed') }),
        ...(args.has('hops') && { maxHops: args.number('hops') }),
        ...(args.has('pingable') && { addPingable: true }),
        ...(args.has('rate') && { probesPerSecond: args.number('rate') }),
      },
    });
    const task = taskOf(answer)!;
    if (args.has('watch')) return watch(screen, client, task, args.has('json'));
    if (args.has('json')) return line(screen.out, escapedJson({ status: answer.status, task }));
    await line(screen.out, `Started task ${task}. Follow it with: portreeve background-task watch ${task}`);
  },
};

const address = '[0-9a-fA-F.:]+';

/** `10.0.0.0/24`, `10.0.0.1-10.0.0.9` or `10.0.0.1`; the service validates the addresses themselves. */
function rangeFrom(word: string): object {
  if (new RegExp(`^${address}/\\d+$`).test(word)) return { cidr: word };
  const [, start, end = start] = new RegExp(`^(${address})(?:-(${address}))?$`).exec(word) ?? [];
  if (start === undefined)
    throw new UsageError(
      `${JSON.stringify(word)} is not an address range; use 10.0.0.0/24, 10.0.0.1-10.0.0.9 or one address.`,
    );
  return { start, end };
}

async function credentialsFrom(args: Arguments): Promise<unknown> {
  const file = args.text('credentials');
  if (file !== undefined) {
    const text = await read(file);
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new UsageError(`${file} is not JSON: ${(cause as Error).message}.`);
    }
  }
  const port = args.number('snmp-port');
  const lines = args.text('community-file');
  const communities = lines === undefined ? [await readSecret('SNMP community: ')] : (await read(lines)).split(/\r?\n/);
  return [
    {
      snmpProtocol: 'V2C',
      ...(port !== undefined && { snmpPort: port }),
      snmpSecurityStrings: communities.filter((community) => community !== ''),
    },
  ];
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${(cause as Error).message}.`);
  }
}

async function watch(screen: Screen, client: Client, id: number, json: boolean): Promise<void> {
  const task = await watchTask(screen, client, id);
  if (!task) return;
  refuseFailed(id, task);
  const query = Object.fromEntries(new URL(task.resultLocation!, 'http://service').searchParams);
  const { results } = await client.call<Run>(statusOf, { query });
  const run = results[0]!;
  if (json) return line(screen.out, escapedJson(run, 2));
  await printRun(screen, run);
}

/** Prints the outcome for each address that responded; those without SNMP only as a count. */
async function printRun({ out, err }: Screen, run: Run): Promise<void> {
  const shownItems = run.items.filter(({ outcome }) => outcome !== 'NO_SNMP').toReversed();
  const columns = ['ipAddress', 'outcome', 'name', 'detail'];
  await new Table(out, undefined, shippedDocument(), { columns }).print(shownItems);
  const counts = [
    `${counted(run.devicesAdded, 'device')} added`,
    `${grouped(run.devicesUpdated)} updated`,
    `${grouped(run.skipped)} unchanged`,
    `${grouped(run.errors)} failed`,
  ].join(', ');
  const words = run.state === 'DONE' ? 'is done' : `is ${run.state.toLowerCase()}`;
  await line(
    err,
    `Discovery into ${escapeUnsafe(run.containerName)} ${words}: ${grouped(run.addressesProbed)} addresses probed, ${counts}.`,
  );
}
