/** The properties of an entry from which its dictionary lines are made. */
export interface DefinedAttribute {
  attribute: string;
  value: string;
  type: string;
  format: string | null;
  vendor: string | null;
  vendorID: number | null;
  hasTag: boolean;
  encryptMethod: number;
  definedValues: Readonly<Record<string, string>>;
}

/** Writes entries as lines of the engine's dictionary. All words in them were validated when the record was saved. */
export function dictionaryLines(entries: readonly DefinedAttribute[]): string[] {
  const vendors = new Map<string, DefinedAttribute>();
  for (const entry of entries) if (entry.vendor !== null) vendors.set(entry.vendor.toLowerCase(), entry);
  const parentsFirst = entries.toSorted((a, b) => depthOf(a) - depthOf(b));
  return [
    ...[...vendors.values()].map(vendorLine),
    ...parentsFirst.flatMap(({ vendor, ...entry }) => {
      const lines = attributeLines(entry);
      return vendor === null ? lines : [`BEGIN-VENDOR ${vendor}`, ...lines, `END-VENDOR ${vendor}`];
    }),
  ];
}

const depthOf = ({ value }: { value: string }): number => value.split('.').length;

const vendorLine = ({ vendor, vendorID, format }: DefinedAttribute): string =>
  `VENDOR ${vendor} ${vendorID}${format === null ? '' : ` format=${format}`}`;

function attributeLines(entry: Omit<DefinedAttribute, 'vendor'>): string[] {
  const { attribute, value, type, hasTag, encryptMethod, definedValues } = entry;
  const flags = [...(hasTag ? ['has_tag'] : []), ...(encryptMethod > 0 ? [`encrypt=${encryptMethod}`] : [])];
  return [
    ['ATTRIBUTE', attribute, value, type, ...(flags.length > 0 ? [flags.join(',')] : [])].join(' '),
    ...Object.entries(definedValues).map(([number, name]) => `VALUE ${attribute} ${name} ${number}`),
  ];
}
