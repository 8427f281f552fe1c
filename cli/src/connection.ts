import { Client } from '@portreeve/sdk/runtime.ts';
import type { Arguments } from './args.ts';
import { type Connection, currentContext } from './contexts.ts';
import { shippedDocument } from './document.ts';
import { UsageError } from './usage-error.ts';

/** An option overrides the environment, and the environment overrides what `portreeve login` stored. */
export async function findConnection(args: Arguments, env: NodeJS.ProcessEnv): Promise<Connection> {
  const given = { url: args.text('url') ?? env.PORTREEVE_URL, token: args.text('token') ?? env.PORTREEVE_TOKEN };
  const kept = given.url && given.token ? undefined : await currentContext(env);
  const url = given.url || kept?.url;
  if (!url)
    throw new UsageError(
      'The URL of the service is not set. Run portreeve login --url URL, set PORTREEVE_URL, or use --url.',
    );
  // A stored token is sent only to the service it was stored for; for another URL the user must pass it explicitly.
  const isOwn = kept !== undefined && originOf(kept.url) === originOf(url);
  return { url: checkedUrl(url), token: given.token || (isOwn ? kept.token : '') };
}

export function clientOf({ url, token }: Connection, args?: Arguments): Client {
  const reason = reasonFrom(args);
  const userAgent = `portreeve-cli/${shippedDocument().version}`;
  return new Client({ url, token, userAgent, ...(reason !== undefined && { reason }) });
}

/** Option of every command that writes by the API. */
export const reasonOption = { reason: { value: 'TEXT', doc: 'Why, stored in the audit log' } } as const;

/** A header cannot hold everything that the service would have to refuse, so it is checked here. */
function reasonFrom(args: Arguments | undefined): string | undefined {
  const reason = args?.text('reason');
  if (reason !== undefined && /\p{Cc}/u.test(reason))
    throw new UsageError('--reason takes one line of text without control characters.');
  return reason;
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

/** The origin of the service: its URL has no path. */
export function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${JSON.stringify(text)} is not a URL; use one like https://nac.example.net.`);
  if (url.username || url.password)
    throw new UsageError('The URL must not contain a user name or password; use --token.');
  return url.href.replace(/\/(api\/v2\/?)?$/, '');
}
