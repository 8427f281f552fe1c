import type { ContractOperation } from '../new/plan.ts';

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

/** The page that shows, by group, how many of the contract's operations are served, and which of a served group are not. */
export function coverageText(contract: readonly ContractOperation[], served: ReadonlySet<string>): string {
  const isServed = ({ method, path }: ContractOperation): boolean => served.has(`${method} ${path}`);
  const groups = Map.groupBy(contract, ({ group }) => group);
  const begunGroups = [...groups.values()].filter((operations) => operations.some(isServed)).length;
  const sections = [...Map.groupBy(contract, ({ section }) => section)].map(([section, operations]) => {
    const rows = [...Map.groupBy(operations, ({ group }) => group)].map(([group, those]) =>
      row(group, those, isServed),
    );
    return `## ${section}

${operations.filter(isServed).length} of ${count(operations.length, 'operation')}.

| Group | Served | Of | Missing in a group that has begun |
|---|---|---|---|
${rows.join('\n')}
`;
  });
  // The contract lists some operations under two groups; each counts where it stands.
  return `# Coverage

Which operations of the contract ([catalogue.json](../catalogue.json)) are served. Written by \`npm run generate\`.

${contract.filter(isServed).length.toLocaleString('en')} of ${count(contract.length, 'operation')} are served, in ${begunGroups} of ${count(groups.size, 'group')}.

${sections.join('\n')}`;
}

function row(
  group: string,
  operations: readonly ContractOperation[],
  isServed: (operation: ContractOperation) => boolean,
): string {
  const missing = operations.filter((operation) => !isServed(operation));
  // Of a group that is not begun every operation is missing: the numbers show it.
  const missingNames =
    missing.length < operations.length ? missing.map(({ method, path }) => `\`${method} ${path}\``) : [];
  const cells = [group, operations.length - missing.length, operations.length, missingNames.join(', ')];
  return `| ${cells.join(' | ')} |`.replace(/ +\|$/, ' |');
}
