import { type Answer, type CallInput, Client, type OperationInfo, PortreeveError } from '@portreeve/sdk/runtime.ts';
import type { Arguments } from './args.ts';
import { type Connection, currentContext } from './contexts.ts';
import { shippedDocument } from './document.ts';
import { UsageError } from './usage-error.ts';

/** A connection and where its token comes from, for messages: `of PORTREEVE_TOKEN`. */
interface FoundConnection extends Connection {
  tokenSource: string;
}

/** Returns the connection: options override environment variables, which override the stored service. */
export async function findConnection(args: Arguments, env: NodeJS.ProcessEnv): Promise<FoundConnection> {
  const explicit = { url: args.text('url') ?? env.PORTREEVE_URL, token: args.text('token') ?? env.PORTREEVE_TOKEN };
  const storedContext = explicit.url && explicit.token ? undefined : await currentContext(env);
  const url = explicit.url || storedContext?.url;
  if (!url)
    throw new UsageError(
      'The URL of the service is not set. Run portreeve login --url URL, set PORTREEVE_URL, or use --url.',
    );
  // A stored token is sent only to the service it was stored for; for another URL the user must pass it explicitly.
  const isOwn = storedContext !== undefined && originOf(storedContext.url) === originOf(url);
  if (!explicit.token && isOwn)
    return { url: checkedUrl(url), token: storedContext.token, tokenSource: `of the context ${storedContext.name}` };
  const tokenSource = args.text('token') === undefined ? 'of PORTREEVE_TOKEN' : 'of --token';
  return { url: checkedUrl(url), token: explicit.token ?? '', tokenSource };
}

export function clientOf(connection: Connection & Partial<FoundConnection>, args?: Arguments): Client {
  const reason = reasonFrom(args);
  return new SignedInClient(connection, reason);
}

/** Adds to a 401 which token was rejected and how to sign in; the message of the service describes only the HTTP header. */
class SignedInClient extends Client {
  readonly #connection: Connection & Partial<FoundConnection>;

  constructor(connection: Connection & Partial<FoundConnection>, reason: string | undefined) {
    const { url, token } = connection;
    const userAgent = `portreeve-cli/${shippedDocument().version}`;
    super({ url, token, userAgent, ...(reason !== undefined && { reason }) });
    this.#connection = connection;
  }

  override async call<R = unknown>(operation: OperationInfo, input?: CallInput): Promise<Answer<R>> {
    try {
      return await super.call<R>(operation, input);
    } catch (error) {
      // A failed sign-in has its own message about user name and password.
      if (!(error instanceof PortreeveError) || error.httpCode !== 401 || !/bearer token/i.test(error.message))
        throw error;
      const { word, httpCode, requestId } = error;
      throw new PortreeveError(refusedWords(this.#connection), { word, httpCode, requestId, cause: error });
    }
  }
}

function refusedWords({ url, token, tokenSource }: Connection & Partial<FoundConnection>): string {
  const fault = token
    ? `${url} does not accept the token${tokenSource === undefined ? '' : ` ${tokenSource}`}: it is invalid, expired or revoked.`
    : `You are not signed in to ${url}.`;
  return `${fault} Run \`portreeve login --url ${url}\`, or set PORTREEVE_TOKEN.`;
}

/** Option of every command that writes through the API. */
export const reasonOption = {
  reason: { value: 'TEXT', doc: 'Reason of the change, stored in the audit log' },
} as const;

/** Checked here because a header with control characters cannot be sent. */
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
    throw new UsageError(`${JSON.stringify(text)} is not a URL. Use a URL such as https://nac.example.net.`);
  if (url.username || url.password)
    throw new UsageError('The URL must not contain a user name or password; use --token.');
  return url.href.replace(/\/(api\/v2\/?)?$/, '');
}
