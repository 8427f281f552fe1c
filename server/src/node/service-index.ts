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

/** The addresses that a client needs to start; the same on every node and for every caller. */
export const servicePlaces = [
  { name: 'api', path: '/api/v2', description: `Portreeve ${serverPackage.version}` },
  {
    name: 'docs',
    path: '/docs',
    description: 'Every operation with its right, its fields and an example, to read.',
  },
  { name: 'openapi', path: '/api/v2/openapi.json', description: 'The OpenAPI document, for programs.' },
  { name: 'schema', path: '/api/v2/schema.xsd', description: 'The XML schema of requests and responses.' },
  { name: 'live', path: '/healthz', description: 'Whether the process is running.' },
  { name: 'ready', path: '/readyz', description: 'Whether the node can serve requests, with the reason if it cannot.' },
] as const;

/** The operation at the common root of all API paths. */
export const serviceIndex: Operation = {
  operationId: 'service.index',
  group: 'Service',
  method: 'GET',
  path: '/api/v2',
  summary: 'List the addresses of the API documents and health checks',
  access: { kind: 'open' },
  query: {},
  writes: false,
  success: 200,
  result: place,
  errors: commonErrors,
  run: async () => ({ results: servicePlaces }),
};
