import { type Bench, httpContestants } from './bench.ts';
import { ingest } from './ingest.ts';
import type { Target } from './load.ts';
import { radius } from './radius.ts';
import type { Subject, SubjectName } from './subjects/subject.ts';
import { subjects } from './subjects/subjects.ts';
import { work } from './work.ts';

/** Returns the name of a benchmark. Those of ports have short names, because they were the first. */
const benchName = ({ name }: Subject, bench: string): string => (name === 'port' ? bench : `${name}-${bench}`);

/** Fetches one record with all features on, compared with the bare limit. */
const readOne = (subject: Subject): Bench => ({
  name: benchName(subject, 'read-one'),
  doc: `fetch one ${subject.name} at random, with everything on, against node:http with ${subject.bare.parts ? 'two prepared statements' : 'one prepared statement'}`,
  limit: 'the one thread that runs the service: reading the request and writing the answer',
  comparisons: [{ label: '', of: 'service', to: 'bare', measure: 'rate', goal: { atLeast: 1 } }],
  contestants: httpContestants(({ large }) => ({
    service: { server: 'service', subject: subject.name, size: large, target: 'record' },
    bare: { server: 'bare', subject: subject.name, size: large, target: 'record' },
  })),
});

const list = (subject: Subject, missed: string): Bench => ({
  name: benchName(subject, 'list'),
  doc: `a page of 100 ${subject.plural} from anywhere in the table, with both counts, against the same page bare and without counts`,
  limit: 'turning thousands of cells of the database into text, once in PostgreSQL and once in the service',
  missed,
  comparisons: [{ label: '', of: 'service', to: 'bare', measure: 'rate', goal: { atLeast: 1.3 } }],
  contestants: httpContestants(({ large }) => ({
    service: { server: 'service', subject: subject.name, size: large, target: 'walk' },
    bare: { server: 'bare', subject: subject.name, size: large, target: 'walk' },
  })),
});

/** Comparisons of a filtered page with both counts: with the limit, and with the same page of a small table. */
const countedComparisons: Bench['comparisons'] = [
  { label: '', of: 'service', to: 'bare', measure: 'rate', goal: { atLeast: 0.8 } },
  {
    label: 'large table against small',
    of: 'service',
    to: 'service, small table',
    measure: 'rate',
    goal: { atLeast: 0.8 },
  },
];

const countedContestants = (subject: SubjectName, target: Target): Bench['contestants'] =>
  httpContestants(({ large, small }) => ({
    service: { server: 'service', subject, size: large, target },
    bare: { server: 'bare', subject, size: large, target },
    'service, small table': { server: 'service', subject, size: small, target },
  }));

const listCounts = (subject: Subject, missed = ''): Bench => ({
  name: benchName(subject, 'list-counts'),
  doc: `the first 100 of 250 ${subject.plural} (${subject.familyFilter(1)}), with exact filtered and total, against the filtered list alone`,
  limit: 'the same as a list; counting the matches is an index scan beside it',
  missed,
  comparisons: countedComparisons,
  contestants: countedContestants(subject.name, 'family'),
});

const lastPage = (subject: Subject): Bench => ({
  name: benchName(subject, 'last-page'),
  doc: `the last page of a walk through all ${subject.plural} against its first, both on the service; beside them a page in the middle, by start`,
  limit: 'nothing of its own: a walk goes on by key; a page by start has to step over what is before it',
  comparisons: [{ label: '', of: 'last page', to: 'first page', measure: 'time', goal: { atMost: 1.5 } }],
  contestants: httpContestants(({ large }) => ({
    'last page': { server: 'service', subject: subject.name, size: large, target: 'last-page' },
    'first page': { server: 'service', subject: subject.name, size: large, target: 'first-page' },
    'middle by start': { server: 'service', subject: subject.name, size: large, target: 'middle-page' },
  })),
});

const substring = (subject: Subject, limit: string): Bench => ({
  name: benchName(subject, 'substring'),
  doc: `find the one ${subject.name} ${subject.rareText}, in a large table against a small one`,
  limit,
  comparisons: [{ label: '', of: 'large table', to: 'small table', measure: 'time', goal: { atMost: 3 } }],
  contestants: httpContestants(({ large, small }) => ({
    'large table': { server: 'service', subject: subject.name, size: large, target: 'rare-text' },
    'small table': { server: 'service', subject: subject.name, size: small, target: 'rare-text' },
  })),
});

const multifilter: Bench = {
  name: 'host-multifilter',
  doc: 'the first 100 of 250 hosts of one kind on one switch, with their adapters: conditions on two records, exact counts, against the same page bare',
  limit: 'the adapters of a hundred hosts, each with where it is',
  missed:
    'its statement is planned each time, as filters have many shapes, and PostgreSQL writes the adapters of each host as JSON. Tried: what lies beside an adapter is joined once, the page is found before its columns are asked, the matches are found once for page and count. Next: the adapters of a page by a statement of their own.',
  comparisons: countedComparisons,
  contestants: countedContestants('host', 'multifilter'),
};

const xml: Bench = {
  name: 'xml',
  doc: 'a page of 100 ports as XML against the same as JSON, both on the service',
  limit: 'XML has twice the bytes',
  comparisons: [{ label: '', of: 'XML', to: 'JSON', measure: 'rate', goal: { atLeast: 0.8 } }],
  contestants: httpContestants(({ large }) => ({
    XML: { server: 'service', subject: 'port', size: large, target: 'walk', format: 'xml' },
    JSON: { server: 'service', subject: 'port', size: large, target: 'walk' },
  })),
};

const { port, host, adapter } = subjects;
const joined =
  'most of a page is what PostgreSQL joins to each row (adapters, connections, addresses, groups), and both sides wait for that alike; what the service does faster is the smaller part. Tried: what lies beside a row is joined once instead of asked for by each field, JSON that repeats is written from memory.';
const trigrams = 'the lists of the trigram index, which grow with the table';

/** Benchmarks that also have a short form, which runs with every change. */
export const shortBenches: readonly Bench[] = [
  readOne(port),
  list(
    port,
    'the worst of seven rounds is below it, the median is not. Tried: rows as bytes, one loop over a plan for all tables (0.27 ms a page instead of 0.6). Half of what is left is the kernel that carries 90 KB. Next: cells that are never null and plain need no look at each byte.',
  ),
  listCounts(port),
  lastPage(port),
  substring(port, trigrams),
  work,
  ingest,
  xml,
  readOne(host),
  list(host, joined),
  multifilter,
  list(adapter, joined),
];

export const benches: readonly Bench[] = [
  ...shortBenches,
  radius,
  listCounts(host),
  lastPage(host),
  substring(host, trigrams),
  readOne(adapter),
  listCounts(
    adapter,
    'who is on a device stands beside the adapters, in two tables: now, and before. Both are asked, and what they say is held against what the record shows; the limit asks one of them. Tried: finding the matches once for page and count.',
  ),
  lastPage(adapter),
  substring(adapter, 'one more level of the index'),
];
