/** Variables of response values. The last two are the VLAN as RFC 4675 writes it. */
export const templateVariables = [
  'ACCESS_VALUE',
  'VLAN_ID',
  'VLAN_NAME',
  'ROLE',
  'MAC',
  'USERNAME',
  'NAS_PORT',
  'SESSION_TIMEOUT',
  'REDIRECT_URL',
  'DECISION_ID',
  'EGRESS_TAGGED',
  'EGRESS_UNTAGGED',
] as const;
export type TemplateVariable = (typeof templateVariables)[number];
export type TemplateValues = Readonly<Partial<Record<TemplateVariable, string>>>;

const byName: ReadonlyMap<string, TemplateVariable> = new Map([
  ...templateVariables.map((name) => [name, name] as const),
  // Short forms.
  ['VALUE', 'ACCESS_VALUE'],
  ['VLAN', 'VLAN_ID'],
  ['USER', 'USERNAME'],
]);

/** A variable, a doubled percent sign, or a percent sign that is neither. */
const percent = /%([A-Za-z_]+)%|%%|%/g;

/** Returns the fault of a template; undefined if it is valid. */
export function templateFault(template: string): string | undefined {
  for (const [variable, name] of template.matchAll(percent)) {
    if (variable === '%') return 'has a percent sign that does not start a variable; write %% for a percent sign';
    if (name !== undefined && !byName.has(name))
      return `has the unknown variable ${variable}; use one of ${templateVariables.map((variableName) => `%${variableName}%`).join(', ')}`;
  }
  return undefined;
}

export const hasVariable = (template: string): boolean =>
  [...template.matchAll(percent)].some(([, name]) => name !== undefined);

/** Fills a template. If a variable has no value, returns null, or with `keep` leaves the variable unchanged. */
export function fillTemplate(template: string, values: TemplateValues, unfilled: 'drop' | 'keep'): string | null {
  let isWhole = true;
  const text = template.replaceAll(percent, (variable, name: string | undefined) => {
    if (name === undefined) return '%';
    const value = values[byName.get(name)!];
    if (value === undefined) isWhole = false;
    return value ?? variable;
  });
  return isWhole || unfilled === 'keep' ? text : null;
}

/** The first octet of the value: whether frames are tagged (RFC 4675, section 2.1). */
const egress = { tagged: 0x31, untagged: 0x32 };

/** Returns the variables of a VLAN, by its number. */
export const vlanValues = (id: number): TemplateValues => ({
  VLAN_ID: String(id),
  EGRESS_TAGGED: String(egress.tagged * 2 ** 24 + id),
  EGRESS_UNTAGGED: String(egress.untagged * 2 ** 24 + id),
});
