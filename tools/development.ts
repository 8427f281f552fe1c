import { createAdministrator } from '@portreeve/server/auth/account.ts';
import { issueToken } from '@portreeve/server/auth/tokens.ts';
import type { WriteTx } from '@portreeve/server/context.ts';
import { refuseTakenPorts } from '@portreeve/server/node/taken-ports.ts';

const tokenName = (pid: number): string => `npm run dev, process ${pid}`;

/** Refuses a port that another process uses, before anything is started or issued for it. */
export async function refuseTakenPort(host: string, port: number): Promise<void> {
  try {
    await refuseTakenPorts([{ what: 'requests', transport: 'tcp', host, port }]);
  } catch (error) {
    const { cause } = error as { cause: NodeJS.ErrnoException };
    throw new Error(
      cause.code === 'EADDRINUSE'
        ? `Port ${port} is taken, perhaps by another npm run dev; set PORTREEVE_PORT to another one.`
        : `Port ${port} cannot be opened: ${cause.message}.`,
      { cause },
    );
  }
}

/**
 * Returns how to reach a node on loopback: its URL, a curl command, and how to trust the self-signed certificate of a
 * new node.
 */
export function addressesOf({
  https,
  port,
  certificateFile,
}: {
  https: boolean;
  port: number;
  certificateFile: string;
}) {
  const place = `127.0.0.1:${port}`;
  if (!https) return { url: `http://${place}`, curl: 'curl', trust: '' };
  return {
    url: `https://${place}`,
    curl: `curl --cacert ${certificateFile}`,
    trust: `
  # The certificate is self-signed. When the service listens, store it for curl and portreeve:
  openssl s_client -connect ${place} </dev/null 2>/dev/null | openssl x509 > ${certificateFile}
  export NODE_EXTRA_CA_CERTS=${certificateFile}
`,
  };
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * Issues a new token at each start; the account stays. Tokens of starts that have ended are revoked, those of running
 * ones are not.
 */
export async function developmentToken(tx: WriteTx, pid: number): Promise<string> {
  const { rows } = await tx.client.query<{ id: number }>(`select id from user_account where user_id = 'developer'`);
  const id =
    rows[0]?.id ??
    (await createAdministrator(tx, {
      userID: 'developer',
      password: 'portreeve-development',
      profile: 'System Administrator',
    }));
  const { rows: tokens } = await tx.client.query<{ id: number; name: string }>(
    'select t.id, t.name from api_token t where t.account_id = $1 and t.revoked_at is null',
    [id],
  );
  const endedTokens = tokens.filter(({ name }) => {
    const holder = /^npm run dev(?:, process (\d+))?$/.exec(name);
    return holder !== null && (holder[1] === undefined || !isRunning(Number(holder[1])));
  });
  await tx.client.query('update api_token set revoked_at = now() where id = any($1::bigint[])', [
    endedTokens.map((token) => token.id),
  ]);
  const { token } = await issueToken(tx, id, { name: tokenName(pid), expiresInDays: 1 });
  return String(token);
}
