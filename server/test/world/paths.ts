import { type Operation, pathShape } from '../../src/kernel/declare/operation.ts';

/** The addresses of the staged host. */
export const staged = { ip: '192.0.2.10', mac: '00:50:C2:FF:00:01' } as const;

/** A name, an identity and addresses that no record has. */
export const nothing = 'nothing';
const unusedId = 999_999_999_999;
const unknown = { ip: '192.0.2.254', mac: '00:50:C2:FF:FF:FF' } as const;

/**
 * Returns the path of an operation with this value for its parameters; a parameter with fixed choices gets the first
 * one.
 */
export const pathWith = (
  operation: Pick<Operation, 'path' | 'pathShapes' | 'idName'>,
  value: number | string,
): string =>
  operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const shape = pathShape(operation, name);
    if (shape.kind === 'choice') return shape.values[0]!;
    if (shape.kind === 'integer' && value === nothing) return String(unusedId);
    if (shape.example !== undefined && value !== nothing) return String(shape.example);
    const { ip, mac } = value === nothing ? unknown : staged;
    return { address: ip, mac }[shape.kind as 'mac' | 'address'] ?? String(value);
  });
