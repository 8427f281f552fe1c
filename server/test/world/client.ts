import type { FastifyInstance, InjectOptions } from 'fastify';

export interface Reply<R = Record<string, unknown>> {
  code: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  /** The envelope, if the response is JSON. */
  body: {
    status: string;
    errorMessage: string | null;
    results?: R[];
    filtered?: number;
    total?: number;
  };
}

type Headers = Record<string, string>;

/** Calls the service as a client does, without a socket. Paths without a root are under /api/v2. */
export class Client {
  readonly #app: FastifyInstance;
  readonly token: string;

  constructor(app: FastifyInstance, token: string) {
    this.#app = app;
    this.token = token;
  }

  /** `R` is the type of one result. */
  async call<R = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Headers = {},
  ): Promise<Reply<R>> {
    const isText = typeof body === 'string' || Buffer.isBuffer(body);
    const reply = await this.#app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url: /^\/(auth|api|console|healthz|readyz|icons|docs|search)\b/.test(path) ? path : `/api/v2${path}`,
      headers: {
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: isText ? body : JSON.stringify(body) }),
    });
    const isJson = reply.body !== '' && String(reply.headers['content-type']).includes('json');
    return {
      code: reply.statusCode,
      headers: reply.headers,
      text: reply.body,
      body: isJson ? JSON.parse(reply.body) : {},
    };
  }

  get<R = Record<string, unknown>>(path: string, headers?: Headers): Promise<Reply<R>> {
    return this.call<R>('GET', path, undefined, headers);
  }

  post<R = Record<string, unknown>>(path: string, body?: unknown, headers?: Headers): Promise<Reply<R>> {
    return this.call<R>('POST', path, body, headers);
  }

  delete(path: string, headers?: Headers): Promise<Reply> {
    return this.call('DELETE', path, undefined, headers);
  }

  /** Creates a record and returns its identity; throws if that fails. */
  async create(group: { path?: string }, body: Record<string, unknown>): Promise<number> {
    const reply = await this.post(group.path!, body);
    if (reply.code !== 201) throw new Error(`creating at ${group.path} returned ${reply.code}: ${reply.text}`);
    return Number(String(reply.headers.location).split('/').at(-1));
  }

  /** Returns the one record at a path. */
  async fetch(group: { path?: string }, id: number): Promise<Record<string, unknown>> {
    const reply = await this.get(`${group.path}/${id}`);
    if (reply.code !== 200) throw new Error(`fetching ${group.path}/${id} answered ${reply.code}: ${reply.text}`);
    return reply.body.results![0]!;
  }
}
