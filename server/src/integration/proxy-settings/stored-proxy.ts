import { type Runtime, secretPlace } from '../../context.ts';
import { singleId, tableOf } from '../../kernel/declare/declaration.ts';
import type { ProxyChoice, WebProxy } from '../../protocols/outbound/proxy-choice.ts';
import { proxySettings } from './proxy-settings.ts';

const table = tableOf(proxySettings);

type Row = Record<`${'http' | 'https'}_proxy_${'host' | 'user'}` | 'http_non_proxy_hosts', string> &
  Record<`${'http' | 'https'}_proxy_port`, number> &
  Record<`${'http' | 'https'}_proxy_password`, Buffer | null>;

/** Returns the stored proxies. Read for each connection, so that a change needs no restart. */
export async function storedProxy({ pool, engine }: Pick<Runtime, 'pool' | 'engine'>): Promise<ProxyChoice> {
  // One statement, so that the user name and the password belong together.
  const { rows } = await pool.query<Row>(`select p.* from ${table} p where p.id = ${singleId}`);
  const [row] = rows;
  if (!row) throw new Error(`the table ${table} has lost its row`);
  const proxyOf = async (scheme: 'http' | 'https'): Promise<WebProxy | null> => {
    const sealed = row[`${scheme}_proxy_password`];
    const place = secretPlace(table, `${scheme}_proxy_password`, singleId);
    const host = row[`${scheme}_proxy_host`];
    if (host === '') return null;
    return {
      host,
      port: row[`${scheme}_proxy_port`],
      user: row[`${scheme}_proxy_user`],
      password: sealed ? await engine.secrets.open(pool, sealed, place) : '',
    };
  };
  return { http: await proxyOf('http'), https: await proxyOf('https'), direct: row.http_non_proxy_hosts };
}
