import { readFile } from 'node:fs/promises';
import { operations } from '@portreeve/sdk/generated/operations.ts';
import { type Client, PortreeveError } from '@portreeve/sdk/runtime.ts';
import { faultOfFile } from '@portreeve/server/kernel/values/file-faults.ts';
import { type ConfiguredClient, type LeftOut, readClientsConf } from '../clients-conf.ts';
import type { Command } from '../command.ts';
import { clientOf, findConnection, reasonOption } from '../connection.ts';
import { containerFrom } from '../container.ts';
import { line } from '../output.ts';
import { counted, escapedJson, escapeUnsafe, filterText, grouped } from '../text.ts';
import { UsageError } from '../usage-error.ts';

/** Outcome of one import. */
interface Imported {
  created: number;
  updated: number;
  failed: LeftOut[];
  leftOut: LeftOut[];
}

export const deviceImport: Command = {
  name: 'device import',
  positionals: ['FILE'],
  doc: 'Import access devices from a FreeRADIUS clients.conf',
  about: [
    'Adds a device for each client with one address and a secret. If a device with that address exists, its secret is set and RADIUS is enabled. Networks, host names, references and other lines are skipped and listed with their line numbers.',
    'Use network-device import to import device records of the API.',
  ],
  options: {
    container: { value: 'NAME|ID', doc: 'Container for new devices (default: the root of the topology)' },
    'dry-run': { doc: 'Check everything without writing anything' },
    json: { doc: 'Print JSON, for scripts' },
    ...reasonOption,
    url: { value: 'URL', doc: 'URL of the service' },
    token: { value: 'TOKEN', doc: 'API token' },
  },
  async run(args, screen) {
    const file = args.positionals[0]!;
    const { clients, leftOut } = readClientsConf(await read(file));
    if (clients.length === 0 && leftOut.length === 0)
      throw new UsageError(
        `${escapeUnsafe(file)} contains no client. Use network-device import to import device records.`,
      );
    const client = clientOf(await findConnection(args, screen.env), args);
    const containerID = await containerFrom(client, args.text('container'));
    const dryRun = args.has('dry-run');
    const imported: Imported = { created: 0, updated: 0, failed: [], leftOut };
    for (const configuredClient of clients)
      await importClient(client, configuredClient, { containerID, dryRun }, imported);
    if (args.has('json')) await line(screen.out, escapedJson(imported, 2));
    else {
      for (const { line: lineNumber, what } of leftOut)
        await line(screen.out, `line ${lineNumber}: skipped: ${escapeUnsafe(what)}`);
      for (const { line: lineNumber, what } of imported.failed)
        await line(screen.err, `${screen.err.style('red', `line ${lineNumber}:`)} ${escapeUnsafe(what)}`);
      await line(screen.out, sumOf(imported, dryRun));
    }
    if (imported.failed.length > 0) process.exitCode = 1;
  },
};

function sumOf({ created, updated, failed, leftOut }: Imported, dryRun: boolean): string {
  const done = dryRun
    ? `${counted(created + updated, 'device')} would be imported`
    : `${counted(created, 'device')} added, ${grouped(updated)} updated`;
  return `${done}, ${grouped(failed.length)} failed, ${grouped(leftOut.length)} skipped.`;
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`${escapeUnsafe(file)} cannot be read: ${faultOfFile(cause)}.`);
  }
}

/** Imports one client; a rejected client does not stop the import. */
async function importClient(
  client: Client,
  { name, address, secret, line: lineNumber }: ConfiguredClient,
  { containerID, dryRun }: { containerID: number; dryRun: boolean },
  imported: Imported,
): Promise<void> {
  const radius = { radiusEnabled: true, radiusSecret: secret };
  const options = dryRun ? { dryRun } : {};
  try {
    const { results } = await client.call<{ id: number }>(operations['network-device.list'], {
      query: { filter: [`ipAddress==${filterText(address)}`], count: 1 },
    });
    if (results[0]) {
      const path = { id: results[0].id };
      await client.call(operations['network-device.update-snmp'], { ...options, path, body: radius });
      imported.updated++;
    } else {
      const body = { name, ipAddress: address, containerID, ...radius };
      await client.call(operations['network-device.create-snmp'], { ...options, body });
      imported.created++;
    }
  } catch (error) {
    if (!(error instanceof PortreeveError) || error.httpCode === 401 || error.httpCode >= 500) throw error;
    imported.failed.push({ line: lineNumber, what: `client ${name}: ${error.message}` });
  }
}
