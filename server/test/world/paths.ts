import { type Operation, pathShape } from '../../src/kernel/declare/operation.ts';

/** What a stage's host is known by. */
export const staged = { ip: '192.0.2.10', mac: '00:50:C2:FF:00:01' } as const;

/** The name of nothing, the identity of nobody, and addresses of nobody. */
export const nothing = 'nothing';
const nobodysId = 999_999_999_999;
const unknown = { ip: '192.0.2.254', mac: '00:50:C2:FF:FF:FF' } as const;

/** The path of an operation with this for its parameters; where only some words are a path, the first of them. */
export const pathWith = (
  operation: Pick<Operation, 'path' | 'pathShapes' | 'idName'>,
  value: number | string,
): string =>
  operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const shape = pathShape(operation, name);
    if (shape.kind === 'choice') return shape.values[0]!;
    if (shape.kind === 'integer' && value === nothing) return String(nobodysId);
    if (shape.example !== undefined && value !== nothing) return String(shape.example);
    const { ip, mac } = value === nothing ? unknown : staged;
    return { address: ip, mac }[shape.kind as 'mac' | 'address'] ?? String(value);
  });
