import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished, test } from 'vitest';
import { migratedDatabase, testMasterKey } from '../../test/world/databases.ts';
import { realProtocols } from '../../test/world/world.ts';
import { connect } from '../kernel/database/connect.ts';
import { startService } from './start-service.ts';

test('a failed start closes everything that it had opened, without errors', async ({ expect }) => {
  const host = '127.0.0.1';
  const occupyingSocket = createSocket('udp4').bind(0, host);
  onTestFinished(() => void occupyingSocket.close());
  await once(occupyingSocket, 'listening');
  const database = await migratedDatabase();
  const faults: Error[] = [];
  const { port } = occupyingSocket.address();
  const start = startService({
    databaseUrl: database.serviceUrl,
    masterKey: await testMasterKey(),
    parts: realProtocols(),
    jobs: 'work',
    traps: { host, port },
    limits: { requestsPerSecond: 1, burst: 1, testsPerMinute: 1 },
    logger: false,
    onError: (error) => faults.push(error),
  });
  await expect(start).rejects.toThrow(`listening for traps at ${host} port ${port}`);
  const pool = connect({ url: database.serviceUrl, connectionsMax: 1 });
  onTestFinished(() => pool.end());
  // PostgreSQL removes an ended session from the list a moment later.
  await expect.poll(async () => (await pool.query(sessionsSql)).rows, { timeout: 10_000 }).toEqual([]);
  expect(faults).toEqual([]);
});

const sessionsSql = `select application_name, query from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
