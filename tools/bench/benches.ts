import { type Bench, httpContestants } from './bench.ts';
import { ingest } from './ingest.ts';
import { work } from './work.ts';

/** Fetching one record with everything on, against the bare limit. */
const readOne: Bench = {
  name: 'read-one',
  doc: 'fetch one port at random, with everything on, against node:http with one prepared statement',
  limit: 'the one thread that runs the service: reading the request and writing the answer',
  comparisons: [{ label: '', of: 'service', to: 'bare', measure: 'rate', goal: { atLeast: 1 } }],
  contestants: httpContestants(({ large }) => ({
    service: { server: 'service', ports: large, target: 'record' },
    bare: { server: 'bare', ports: large, target: 'record' },
  })),
};

const list: Bench = {
  name: 'list',
  doc: 'a page of 100 ports from anywhere in the table, with both counts, against the same page bare and without counts',
  limit: 'turning 3,500 cells of the database into text, once in PostgreSQL and once in the service',
  missed:
    'the worst of seven rounds is below it, the median is not. Tried: rows as bytes, one loop over a plan for all tables (0.27 ms a page instead of 0.6). Half of what is left is the kernel that carries 90 KB. Next: cells that are never null and plain need no look at each byte.',
  comparisons: [{ label: '', of: 'service', to: 'bare', measure: 'rate', goal: { atLeast: 1.3 } }],
  contestants: httpContestants(({ large }) => ({
    service: { server: 'service', ports: large, target: 'walk' },
    bare: { server: 'bare', ports: large, target: 'walk' },
  })),
};

const listCounts: Bench = {
  name: 'list-counts',
  doc: 'the first 100 of the 250 ports of a device, with exact filtered and total, against the filtered list alone',
  limit: 'the same as a list; counting the matches is an index scan beside it',
  comparisons: [
    { label: '', of: 'service', to: 'bare', measure: 'rate', goal: { atLeast: 0.8 } },
    {
      label: 'large table against small',
      of: 'service',
      to: 'service, small table',
      measure: 'rate',
      goal: { atLeast: 0.8 },
    },
  ],
  contestants: httpContestants(({ large, small }) => ({
    service: { server: 'service', ports: large, target: 'device' },
    bare: { server: 'bare', ports: large, target: 'device' },
    'service, small table': { server: 'service', ports: small, target: 'device' },
  })),
};

const lastPage: Bench = {
  name: 'last-page',
  doc: 'the last page of a walk through all ports against its first, both on the service; beside them a page in the middle, by start',
  limit: 'nothing of its own: a walk goes on by key; a page by start has to step over what is before it',
  comparisons: [{ label: '', of: 'last page', to: 'first page', measure: 'time', goal: { atMost: 1.5 } }],
  contestants: httpContestants(({ large }) => ({
    'last page': { server: 'service', ports: large, target: 'last-page' },
    'first page': { server: 'service', ports: large, target: 'first-page' },
    'middle by start': { server: 'service', ports: large, target: 'middle-page' },
  })),
};

const substring: Bench = {
  name: 'substring',
  doc: 'find the one port whose label holds eight given characters, in a large table against a small one',
  limit: 'the lists of the trigram index, which grow with the table',
  comparisons: [{ label: '', of: 'large table', to: 'small table', measure: 'time', goal: { atMost: 3 } }],
  contestants: httpContestants(({ large, small }) => ({
    'large table': { server: 'service', ports: large, target: 'rare-text' },
    'small table': { server: 'service', ports: small, target: 'rare-text' },
  })),
};

const xml: Bench = {
  name: 'xml',
  doc: 'a page of 100 ports as XML against the same as JSON, both on the service',
  limit: 'XML has twice the bytes',
  comparisons: [{ label: '', of: 'XML', to: 'JSON', measure: 'rate', goal: { atLeast: 0.8 } }],
  contestants: httpContestants(({ large }) => ({
    XML: { server: 'service', ports: large, target: 'walk', format: 'xml' },
    JSON: { server: 'service', ports: large, target: 'walk' },
  })),
};

export const benches: readonly Bench[] = [readOne, list, listCounts, lastPage, substring, work, ingest, xml];
