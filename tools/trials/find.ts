import { filledDatabase } from '../bench/fill.ts';
import { startNode } from '../bench/node.ts';
import { macOf } from '../bench/subjects/adapter.ts';
import { ownerOf } from '../bench/subjects/host.ts';
import { familySize, rareTextOf } from '../bench/subjects/subject.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';

/** Texts that users type to find one host. */
type Question = (host: number) => string;

/** Notations of one MAC address, as vendors and users write them. */
const notations: readonly ((mac: string) => string)[] = [
  (mac) => mac,
  (mac) => mac.toLowerCase(),
  (mac) => mac.replaceAll(':', '-'),
  (mac) => mac.replaceAll(':', '-').toLowerCase(),
  (mac) => bare(mac),
  (mac) => bare(mac).toLowerCase(),
  (mac) => grouped(mac, 4, '.'),
  (mac) => grouped(mac, 4, '.').toLowerCase(),
  (mac) => grouped(mac, 4, '-'),
  (mac) => grouped(mac, 4, '-').toLowerCase(),
  (mac) => grouped(mac, 4, ':'),
  (mac) => grouped(mac, 4, ' '),
  (mac) => grouped(mac, 6, '-'),
  (mac) => grouped(mac, 6, '-').toLowerCase(),
  (mac) => grouped(mac, 6, ':'),
  (mac) => mac.replaceAll(':', ' '),
  (mac) => mac.replaceAll(':', '.'),
  (mac) => shortened(mac, ':'),
  (mac) => shortened(mac, '-'),
  (mac) => `0x${bare(mac)}`,
];

const bare = (mac: string): string => mac.replaceAll(':', '');
const grouped = (mac: string, size: number, mark: string): string =>
  bare(mac)
    .match(new RegExp(`.{${size}}`, 'g'))!
    .join(mark);
/** Without leading zeros. */
const shortened = (mac: string, mark: string): string =>
  mac
    .split(':')
    .map((part) => part.replace(/^0/, ''))
    .join(mark);

const questions: Readonly<Record<string, Question>> = {
  'MAC address': (host) => notations[host % notations.length]!(macOf(host)),
  'last four digits': (host) => bare(macOf(host)).slice(-4),
  'IP address': (host) => `10.${host >> 16}.${(host >> 8) & 255}.${host & 255}`,
  name: (host) => `pc-${rareTextOf(host)}`,
  'part of a name': (host) => rareTextOf(host).slice(1, 7),
  'serial number': (host) => `SN${host}`,
  user: (host) => ownerOf(Math.ceil(host / familySize)),
};

const goalMs = 100;

export const trial = defineTrial({
  doc: 'Finds hosts among many by MAC addresses in twenty notations, last four digits, IP addresses, names, serial numbers and users, and prints how long it takes.',
  options: {
    hosts: number(1_000_000, 'how many there are'),
    each: number(200, 'searches of each kind'),
  },
  async run({ hosts, each }) {
    const database = await filledDatabase('hosts', hosts, { say: (line) => console.log(line) });
    const node = await startNode(database, { administrator: true });
    try {
      const find = async (q: string): Promise<{ id: number | null; group: string }[]> => {
        const reply = await fetch(`http://127.0.0.1:${node.port}/search?q=${encodeURIComponent(q)}`, {
          headers: { authorization: `Bearer ${node.token}` },
        });
        if (!reply.ok) throw new Error(`${q} was answered ${reply.status}: ${await reply.text()}`);
        return ((await reply.json()) as { results: { id: number | null; group: string }[] }).results;
      };
      const mac = macOf(Math.ceil(hosts / 2));
      const isFoundByNotation = await Promise.all(notations.map(async (write) => (await find(write(mac))).length > 0));
      console.log(`${isFoundByNotation.filter(Boolean).length} of ${notations.length} notations of ${mac} find it`);
      for (const [index, isFound] of isFoundByNotation.entries())
        if (!isFound) console.log(`not found: ${notations[index]!(mac)}`);
      let isMet = isFoundByNotation.every(Boolean);
      for (const [kind, question] of Object.entries(questions))
        isMet = (await measured(kind, question, hosts, each, find)) && isMet;
      if (!isMet) process.exitCode = 1;
    } finally {
      await node.close();
      await database.drop();
    }
  },
});

async function measured(
  kind: string,
  question: Question,
  hosts: number,
  searches: number,
  find: (q: string) => Promise<{ id: number | null }[]>,
): Promise<boolean> {
  const times: number[] = [];
  let empty = 0;
  let late = 0;
  for (let n = 0; n < searches; n++) {
    // Spread over the table, and the same in every run.
    const host = 1 + ((n * 7_919_317) % hosts);
    const startMs = performance.now();
    const hits = await find(question(host));
    times.push(performance.now() - startMs);
    if (hits.length === 0) empty++;
    if (hits.some(({ id }) => id === null)) late++;
  }
  times.sort((a, b) => a - b);
  const quantile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
  const isMet = quantile(0.95) <= goalMs && empty === 0 && late === 0;
  console.log(
    `${kind}: p50 ${quantile(0.5).toFixed(1)} ms, p95 ${quantile(0.95).toFixed(1)} ms, p99 ${quantile(0.99).toFixed(1)} ms, ${empty} found nothing, ${late} with a group that was not ready: ${isMet ? 'met' : 'missed'}`,
  );
  return isMet;
}
