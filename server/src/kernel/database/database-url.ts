/** The address of a database server. */
export interface ServerAddress {
  host: string;
  port: number;
}

const portDefault = 5432;
const serversMax = 8;
const pattern = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/i;

/**
 * The parts of a connection string. It can name several servers, `postgres://role@a:5432,b:5432/name`, one of which is
 * the primary.
 */
interface DatabaseUrl {
  servers: readonly ServerAddress[];
  /** The URL with the first server only, which every URL parser accepts. */
  first: string;
}

export function readDatabaseUrl(text: string): DatabaseUrl {
  const [, start, list, rest] = pattern.exec(text) ?? [];
  if (start === undefined || !list?.includes(',')) return { servers: [], first: text };
  const names = list.split(',');
  if (names.length > serversMax) throw new Error(`A database URL names at most ${serversMax} servers.`);
  const servers = names.map((name) => {
    const [, host, port] = /^(\[[\da-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i.exec(name) ?? [];
    if (!host) throw new Error(`The database URL names a server "${name}" that is not a host, or a host and a port.`);
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? portDefault) };
  });
  // The service itself looks for the primary; pg does not support this setting.
  const query = rest!.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '');
  return { servers, first: `${start}${names[0]}${query}` };
}

/** Returns the same URL with another database. */
export function withDatabase(text: string, database: string): string {
  const [, start, list, rest] = pattern.exec(text) ?? [];
  if (start === undefined) throw new Error('The database URL must begin with postgres://.');
  return `${start}${list}${rest!.replace(/^\/?[^?#]*/, `/${encodeURIComponent(database)}`)}`;
}

/** Returns the database that a URL names. */
export const databaseOf = (text: string): string =>
  decodeURIComponent(/^\/?([^?#]*)/.exec(pattern.exec(text)?.[3] ?? '')?.[1] ?? '');
