import type { FastifyRequest } from 'fastify';
import { type Operation, pathShape } from '../declare/operation.ts';
import type { Shape } from '../declare/shape.ts';
import { Failure, type Fault, invalid } from '../failure.ts';
import { checkValue } from '../format/check-value.ts';

type Path = Pick<Operation, 'path' | 'pathShapes' | 'idName'>;

/** The properties of an operation or a file that a route table uses. */
type Route = Path & Partial<Pick<Operation, 'pattern' | 'writes' | 'streams'>> & { method: string };

/**
 * True if HEAD is served like GET (RFC 9110, 9.3.2). False for a GET that changes something, and for a monitor, where a
 * poll acknowledges the entries of the previous one.
 */
export const answersHead = ({ method, writes, streams }: Pick<Route, 'method' | 'writes' | 'streams'>): boolean =>
  method === 'GET' && !writes && !streams;

/** The paths of a service and their methods: for 404, 405 and OPTIONS. */
export class RouteTable {
  readonly #routes: readonly { route: Route; pattern: RegExp }[];

  constructor(routes: readonly Route[]) {
    this.#routes = routes.map((route) => ({ route, pattern: pathPattern(route) }));
  }

  #routesAt(path: string): Route[] {
    return this.#routes.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route);
  }

  /** Returns the value of `Allow`; undefined if the path does not exist. */
  allowedMethods(path: string): string | undefined {
    const routes = this.#routesAt(path);
    if (routes.length === 0) return undefined;
    const methods = [...routes.map(({ method }) => method), ...(routes.some(answersHead) ? ['HEAD'] : []), 'OPTIONS'];
    return [...new Set(methods)].sort().join(', ');
  }

  /** Returns 405 with the allowed methods for a path that exists with another method, else 404. */
  refusal({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): Failure {
    const path = pathOf(url);
    const routes = this.#routesAt(path);
    if (routes.length === 0) return noSuchPath(path);
    const list = [...new Set(routes.map((route) => route.method))].sort().join(', ');
    const parent = path.replace(/\/\d+$/, '');
    const isUpdate =
      method === 'POST' && this.#routes.some(({ route }) => route.pattern === 'create' && route.path === parent);
    const update = isUpdate ? `, or POST ${parent} with the identity in the body to update it` : '';
    return new Failure('unsupported', `${method} is not supported here; use ${list}${update}.`, {
      httpCode: 405,
      headers: { allow: this.allowedMethods(path)! },
    });
  }
}

/** Returns the path of a URL, without its query. */
export const pathOf = (url: string): string => url.split('?', 1)[0]!;

export const noSuchPath = (path: string): Failure =>
  new Failure('not-found', `There is no resource at ${path.slice(0, 200)}.`);

const pathPattern = (operation: Path): RegExp =>
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

/** Checks path parameters and returns them in the normalized form of their shape, for example of a MAC address. */
export function readParameters(
  operation: Operation,
  parameters: Readonly<Record<string, string>>,
): Record<string, string | number> {
  const faults: Fault[] = [];
  const checkedParameters = Object.entries(parameters).map(([name, text]) => {
    const shape = pathShape(operation, name);
    // Before this, an integer or choice that does not fit was refused as another path.
    if (shape.kind === 'integer') return [name, Number(text)] as const;
    return [name, shape.kind === 'choice' ? text : checkValue(shape, text, `/${name}`, faults)] as const;
  });
  if (faults.length > 0) throw invalid(faults.map(({ message }) => message).join(' '));
  return Object.fromEntries(checkedParameters) as Record<string, string | number>;
}

/** True if the text can be a value of this path parameter. */
export function fitsPath(shape: Shape, text: string): boolean {
  if (shape.kind === 'integer') return /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text));
  return shape.kind !== 'choice' || shape.values.includes(text);
}
