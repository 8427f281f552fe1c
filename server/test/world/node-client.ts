import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface NodeReply<R = Record<string, unknown>> {
  code: number;
  headers: IncomingHttpHeaders;
  body: { status: string; errorMessage: string | null; results?: R[]; total?: number };
}

const answerMsMax = 60_000;

/** Calls one node over its socket, with connections that are kept open like those of a script or a proxy. */
export class NodeClient {
  readonly #port: number;
  readonly authorization: { authorization: string };
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 200 });

  constructor(port: number, token: string) {
    this.#port = port;
    this.authorization = { authorization: `Bearer ${token}` };
  }

  /** Returns a client of the same node with another token. */
  as(token: string): NodeClient {
    return new NodeClient(this.#port, token);
  }

  /** Returns the response of the node; rejects with the socket's error if there is none. */
  call<R = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<NodeReply<R>> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((done, fail) => {
      const clientRequest = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          method,
          path: /^\/(auth|readyz|healthz)\b/.test(path) ? path : `/api/v2${path}`,
          agent: this.#agent,
          timeout: answerMsMax,
          headers: {
            ...this.authorization,
            ...(text !== undefined && {
              'content-type': 'application/json',
              'content-length': String(Buffer.byteLength(text)),
            }),
            ...headers,
          },
        },
        (response) => {
          let answer = '';
          response.setEncoding('utf8').on('data', (chunk: string) => {
            answer += chunk;
          });
          response.once('error', fail);
          response.once('end', () => {
            const isJson = String(response.headers['content-type']).includes('json');
            done({
              code: response.statusCode!,
              headers: response.headers,
              body: isJson ? JSON.parse(answer) : { status: '', errorMessage: answer },
            });
          });
        },
      );
      clientRequest.once('error', fail);
      clientRequest.once('timeout', () => clientRequest.destroy(new Error(`no response within ${answerMsMax} ms`)));
      clientRequest.end(text);
    });
  }

  get<R = Record<string, unknown>>(path: string, headers?: Record<string, string>): Promise<NodeReply<R>> {
    return this.call<R>('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<NodeReply> {
    return this.call('POST', path, body, headers);
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Returns the identity in the Location of a created record. */
export const idOf = (reply: NodeReply): number => Number(String(reply.headers.location).split('/').at(-1));

export const isRefused = (error: unknown): boolean => (error as { code?: string }).code === 'ECONNREFUSED';
