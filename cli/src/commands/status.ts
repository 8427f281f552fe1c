import { operations } from '@portreeve/sdk/generated/operations.ts';
import { type Client, PortreeveError } from '@portreeve/sdk/runtime.ts';
import { agoWords } from '../ago.ts';
import type { Command } from '../command.ts';
import { clientOf, findConnection } from '../connection.ts';
import { currentContext } from '../contexts.ts';
import { shippedDocument } from '../document.ts';
import { exitCodeOfWord } from '../exit-codes.ts';
import { line } from '../output.ts';
import { type ListedToken, ownToken } from '../own-token.ts';
import { showFor } from '../shown-value.ts';
import { escapedJson, escapeUnsafe, fill } from '../text.ts';

/** State of the connection; `fault` is the error if the service could not be reached. */
interface Status {
  context: string | null;
  url: string;
  ready: boolean;
  service: string | null;
  client: string;
  token: ListedToken | null;
  fault: string | null;
}

export const status: Command = {
  name: 'status',
  positionals: [],
  doc: 'Show the current service, its state, and your account',
  options: {
    json: { doc: 'Print JSON, for scripts' },
    url: { value: 'URL', doc: 'URL of the service' },
    token: { value: 'TOKEN', doc: 'API token' },
  },
  async run(args, screen) {
    const connection = await findConnection(args, screen.env);
    const context = await currentContext(screen.env);
    const isStored = context?.url === connection.url && context.token === connection.token;
    const state: Status = {
      context: isStored ? context.name : null,
      url: connection.url,
      ready: false,
      service: null,
      client: shippedDocument().version,
      token: null,
      fault: null,
    };
    try {
      await fillIn(state, clientOf(connection), connection.token);
    } catch (error) {
      if (!(error instanceof PortreeveError)) throw error;
      state.fault = error.message;
      process.exitCode = exitCodeOfWord(error.word);
    }
    if (args.has('json')) return line(screen.out, escapedJson(state, 2));
    const { nowMs } = showFor(true, false);
    const rows = rowsOf(state, nowMs);
    const width = Math.max(...rows.map(([name]) => name.length));
    for (const [name, text] of rows)
      await line(screen.out, `${screen.out.style('bold', fill(name, width))}  ${escapeUnsafe(text)}`);
    if (state.fault !== null) await line(screen.err, screen.err.style('red', escapeUnsafe(state.fault)));
  },
};

async function fillIn(state: Status, client: Client, token: string): Promise<void> {
  const { results } = await client.call<{ name: string; description: string }>(operations['service.index']);
  state.service = results.find(({ name }) => name === 'api')?.description ?? null;
  state.ready = await client.call(operations['health.ready']).then(
    () => true,
    () => false,
  );
  state.token = (await ownToken(client, token)) ?? null;
}

function rowsOf({ context, url, ready, service, client, token }: Status, nowMs: number): [string, string][] {
  const readiness = ready ? 'ready' : 'not ready';
  return [
    ['Service', `${url} (${service === null ? 'not reached' : readiness})`],
    ['Version', `${service ?? 'unknown'}; command line ${client}`],
    ['Context', context ?? 'none: URL and token are set by options or environment variables'],
    ...(token ? tokenRows(token, nowMs) : []),
  ];
}

function tokenRows({ owner, profile, name, expiresAt, scopes }: ListedToken, nowMs: number): [string, string][] {
  return [
    ['Account', `${owner}${profile === null ? '' : ` (${profile})`}`],
    ['Token', `${name}, expires ${expiresAt.slice(0, 10)} (${agoWords(Date.parse(expiresAt), nowMs)})`],
    ...(scopes ? [['Permissions', `only ${Object.keys(scopes).join(', ')}`] as [string, string]] : []),
  ];
}
