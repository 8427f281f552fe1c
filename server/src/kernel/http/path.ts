import type { FastifyRequest } from 'fastify';
import { type Operation, pathShape } from '../declare/operation.ts';
import type { Shape } from '../declare/shape.ts';
import { Failure, type Fault, invalid } from '../failure.ts';
import { checkValue } from '../format/check-value.ts';

/** A path that exists with another method is 405 with what it allows; anything else is 404. */
export function unrouted(
  operations: readonly (Pick<Operation, 'path' | 'pathShapes' | 'pattern'> & { method: string })[],
  request: FastifyRequest,
): Failure {
  const path = request.url.split('?', 1)[0]!;
  const allowed = new Set(
    operations.filter((operation) => pathPattern(operation).test(path)).map((operation) => operation.method),
  );
  if (allowed.size === 0) return new Failure('not-found', `There is no resource at ${path.slice(0, 200)}.`);
  const list = [...allowed].sort().join(', ');
  const parent = path.replace(/\/\d+$/, '');
  const isUpdate =
    request.method === 'POST' && operations.some((each) => each.pattern === 'create' && each.path === parent);
  const update = isUpdate ? `, or POST ${parent} with the identity in the body to update it` : '';
  return new Failure('unsupported', `${request.method} is not supported here; use ${list}${update}.`, {
    httpCode: 405,
    headers: { allow: list },
  });
}

const pathPattern = (operation: Pick<Operation, 'path' | 'pathShapes' | 'idName'>): RegExp =>
  new RegExp(
    `^${operation.path
      .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
      .replace(/\\\*$/, '.*')
      .replace(/\{(\w+)\}/g, (_, name: string) => pathParameterPattern(pathShape(operation, name)))}$`,
  );

function pathParameterPattern(shape: Shape): string {
  if (shape.kind === 'integer') return '\\d+';
  return shape.kind === 'choice' ? `(?:${shape.values.join('|')})` : '[^/]+';
}

/** Parts of the path in the written form of their kind, such as a MAC address. */
export function readParameters(
  operation: Operation,
  named: Readonly<Record<string, string>>,
): Record<string, string | number> {
  const faults: Fault[] = [];
  const read = Object.entries(named).map(([name, text]) => {
    const shape = pathShape(operation, name);
    // Those are another path, or none, when they do not fit.
    if (shape.kind === 'integer') return [name, Number(text)] as const;
    return [name, shape.kind === 'choice' ? text : checkValue(shape, text, `/${name}`, faults)] as const;
  });
  if (faults.length > 0) throw invalid(faults.map(({ message }) => message).join(' '));
  return Object.fromEntries(read) as Record<string, string | number>;
}

/** Whether a part of a path can be what the operation takes it for. */
export function fitsPath(shape: Shape, text: string): boolean {
  if (shape.kind === 'integer') return /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text));
  return shape.kind !== 'choice' || shape.values.includes(text);
}
