import { action } from '../../context.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { notFound } from '../../kernel/failure.ts';
import { aaaLocalDomain } from './aaa-mappings.ts';
import { domainLengthMax } from './domain-name.ts';

const domainList = {
  kind: 'object',
  name: 'LocalDomainNames',
  required: ['domain'],
  properties: {
    domain: {
      kind: 'list',
      item: { kind: 'text', min: 1, max: domainLengthMax },
      min: 1,
      max: 1_000,
      doc: 'Names of local domains.',
    },
  },
} as const satisfies ObjectShape;

const deleteByName = action(aaaLocalDomain, {
  name: 'delete-by-name',
  method: 'POST',
  path: '/delete',
  doc: 'Delete local domains by their names, all or none',
  verb: 'delete',
  body: domainList,
  example: { domain: ['campus.example.org'] },
  errors: ['not-found'],
  async run({ body }, { db, tx }) {
    const names = [...new Set(body.domain.map((name) => name.toLowerCase()))];
    const rows = await db
      .selectFrom('aaa_local_domain')
      .select(['id', 'domainName'])
      .where('domainName', 'in', names)
      .execute();
    const missing = names.find((name) => !rows.some(({ domainName }) => domainName === name));
    if (missing !== undefined) throw notFound(aaaLocalDomain.title, missing);
    await tx.records.remove(
      aaaLocalDomain,
      rows.map(({ id }) => id),
    );
    return {};
  },
});

export const localDomainActions = [deleteByName];
