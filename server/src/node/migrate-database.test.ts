import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { migratedDatabase } from '../../test/world/databases.ts';
import { refuseOtherSchema } from './migrate-database.ts';

test('a node does not start with the schema of a newer release', async () => {
  const database = await migratedDatabase();
  onTestFinished(() => database.drop());
  await refuseOtherSchema(database.serviceUrl);
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query(`insert into migration (name, sha256) values ('9999-of-tomorrow.sql', '')`);
  await owner.end();
  await expect(refuseOtherSchema(database.serviceUrl)).rejects.toThrow(
    'The database has 9999-of-tomorrow.sql of a newer release; update this node first.',
  );
});

test('a database that accepts connections and sends nothing does not block the start of a node', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket));
  await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  await expect(refuseOtherSchema(`postgresql://someone@127.0.0.1:${port}/portreeve`)).rejects.toThrow(/timeout/);
}, 20_000);
