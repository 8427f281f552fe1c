import pg from 'pg';

/** The bare way to receive commits: a session that listens, and records when each notification arrived. */
const [url] = process.argv.slice(2) as [string];
const receivedNs = new Map<string, string>();
const session = new pg.Client({ connectionString: url });
session.on('notification', ({ payload }) => receivedNs.set(payload!, String(process.hrtime.bigint())));
await session.connect();
await session.query('listen bench_work');

process.on('message', () => {
  process.send!([...receivedNs]);
  receivedNs.clear();
});
process.on('disconnect', () => process.exit(0)).on('SIGTERM', () => process.exit(0));
process.send!('ready');
