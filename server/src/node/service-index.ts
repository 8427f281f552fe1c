import serverPackage from '../../package.json' with { type: 'json' };
import { commonErrors, type Operation } from '../kernel/declare/operation.ts';
import type { ObjectShape } from '../kernel/declare/shape.ts';

const place: ObjectShape = {
  kind: 'object',
  name: 'ServicePlace',
  properties: {
    name: { kind: 'text', max: 80 },
    path: { kind: 'text', max: 200 },
    description: { kind: 'text', max: 200 },
  },
};

/** Where a client finds what it needs to begin; the same on every node, and for everybody. */
export const servicePlaces = [
  { name: 'api', path: '/api/v2', description: `Portreeve ${serverPackage.version}` },
  {
    name: 'docs',
    path: '/docs',
    description: 'Every operation with its right, its fields and an example, for people.',
  },
  { name: 'openapi', path: '/api/v2/openapi.json', description: 'The OpenAPI document, for programs.' },
  { name: 'schema', path: '/api/v2/schema.xsd', description: 'The XML schema of requests and responses.' },
  { name: 'live', path: '/healthz', description: 'Whether the process is running.' },
  { name: 'ready', path: '/readyz', description: 'Whether the node can serve, and if not, why.' },
] as const;

/** The path that every operation of the contract is below. */
export const serviceIndex: Operation = {
  operationId: 'service.index',
  group: 'Service',
  method: 'GET',
  path: '/api/v2',
  summary: 'List where the documents and the health of the service are',
  access: { kind: 'open' },
  query: {},
  writes: false,
  success: 200,
  result: place,
  errors: commonErrors,
  run: async () => ({ results: servicePlaces }),
};
