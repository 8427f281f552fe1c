/** An attribute as the engine's dictionary defines it. */
export interface DictionaryAttribute {
  attribute: string;
  /** Its number; for a member of another attribute the full path, such as `26.1`. */
  value: string;
  type: string;
  vendor: string | null;
  vendorID: number | null;
  /** Octets of type and length in the vendor's attributes, such as `2,1`; null for the default. */
  format: string | null;
  hasTag: boolean;
  encryptMethod: number;
  /** Names of numeric values. */
  definedValues: Record<string, string>;
}

/** Thrown for a line that is not valid in a dictionary. */
export class DictionaryFault extends Error {
  constructor(file: string, line: number, message: string) {
    super(`${file}, line ${line}: ${message}`);
  }
}

/**
 * Returns the text and full path of a file. The first parameter is the name in the `$INCLUDE` line, the second the file
 * with that line.
 */
export type ReadFile = (includedName: string, includingFile: string) => Promise<{ name: string; text: string }>;

/** Creates the error for the current line. */
type Fault = (message: string) => DictionaryFault;

const filesMax = 2_000;
const depthMax = 20;

/** Other names of a type in older and newer files. */
const types: Readonly<Record<string, string>> = {
  uint8: 'byte',
  uint16: 'short',
  uint32: 'integer',
  uint64: 'integer64',
  int32: 'signed',
};

interface Vendor {
  name: string;
  id: number;
  format: string | null;
}

/** Reads a dictionary of FreeRADIUS 3 with the files that it includes. */
export async function readDictionary(first: string, readFile: ReadFile): Promise<DictionaryAttribute[]> {
  const reading = new Reading(readFile);
  await reading.file(first, '', 0);
  return reading.attributes();
}

class Reading {
  readonly #readFile: ReadFile;
  readonly #byName = new Map<string, DictionaryAttribute>();
  readonly #vendors = new Map<string, Vendor>();
  #files = 0;
  /** The vendor and attribute that the following attributes belong to. */
  #vendor: Vendor | undefined;
  readonly #parents: string[] = [];

  constructor(readFile: ReadFile) {
    this.#readFile = readFile;
  }

  attributes(): DictionaryAttribute[] {
    return [...this.#byName.values()];
  }

  async file(includedName: string, includingFile: string, depth: number): Promise<void> {
    if (++this.#files > filesMax || depth > depthMax)
      throw new DictionaryFault(includedName, 0, 'too many files include each other');
    const { name, text } = await this.#readFile(includedName, includingFile);
    for (const [lineIndex, line] of text.split('\n').entries()) {
      const words = line.replace(/#.*/, '').trim().split(/\s+/);
      if (words[0] === '') continue;
      if (words[0]!.toUpperCase().startsWith('$INCLUDE')) await this.file(words[1] ?? '', name, depth + 1);
      else this.#line(words, (message) => new DictionaryFault(name, lineIndex + 1, message));
    }
  }

  /** The handler of each keyword. */
  readonly #keywords: Readonly<Record<string, (words: readonly string[], fault: Fault) => void>> = {
    VENDOR: (words, fault) => this.#addVendor(words, fault),
    'BEGIN-VENDOR': ([name], fault) => {
      this.#vendor = this.#knownVendor(name, fault);
    },
    'END-VENDOR': () => {
      this.#vendor = undefined;
    },
    'BEGIN-TLV': ([name], fault) => void this.#parents.push(this.#known(name, fault).value),
    'END-TLV': () => void this.#parents.pop(),
    ATTRIBUTE: (words, fault) => this.#addAttribute(words, fault),
    VALUE: (words, fault) => this.#addValue(words, fault),
  };

  #line([keyword = '', ...words]: readonly string[], fault: Fault): void {
    const handleKeyword = this.#keywords[keyword.toUpperCase()];
    if (!handleKeyword) throw fault(`${keyword} is no keyword`);
    handleKeyword(words, fault);
  }

  #addVendor([name, id, ...options]: readonly string[], fault: Fault): void {
    const number = numberOf(id);
    if (!name || number === undefined) throw fault('a vendor has a name and a number');
    const format = options.find((option) => option.startsWith('format='))?.slice('format='.length) ?? null;
    this.#vendors.set(name.toLowerCase(), { name, id: number, format });
  }

  #knownVendor(name: string | undefined, fault: Fault): Vendor {
    const vendor = this.#vendors.get((name ?? '').toLowerCase());
    if (!vendor) throw fault(`the vendor ${name ?? ''} is not defined`);
    return vendor;
  }

  #known(name: string | undefined, fault: Fault): DictionaryAttribute {
    const attribute = this.#byName.get((name ?? '').toLowerCase());
    if (!attribute) throw fault(`the attribute ${name ?? ''} is not defined`);
    return attribute;
  }

  /**
   * Of two attributes with the same name the first stays, as in the engine, which accepts the second only if it is
   * equal.
   */
  #addAttribute([name, number, type, flags = '']: readonly string[], fault: Fault): void {
    if (!name || !number || !type) throw fault('an attribute has a name, a number and a type');
    const numbers = number.split('.').map(numberOf);
    if (numbers.includes(undefined)) throw fault(`${number} is no number`);
    const options = flags.split(',');
    const vendor = this.#vendors.get(flags.toLowerCase()) ?? this.#vendor;
    const plainType = type.toLowerCase().replace(/\[\d+\]$/, '');
    const encryption = options.find((option) => option.startsWith('encrypt='));
    const key = name.toLowerCase();
    if (this.#byName.has(key)) return;
    this.#byName.set(key, {
      attribute: name,
      value: [...this.#parents.slice(-1), ...numbers].join('.'),
      type: types[plainType] ?? plainType,
      vendor: vendor?.name ?? null,
      vendorID: vendor?.id ?? null,
      format: vendor?.format ?? null,
      hasTag: options.includes('has_tag'),
      encryptMethod: numberOf(encryption?.slice('encrypt='.length)) ?? 0,
      definedValues: {},
    });
  }

  #addValue([attribute, name, number]: readonly string[], fault: Fault): void {
    const value = numberOf(number);
    if (!name || value === undefined) throw fault('a value has an attribute, a name and a number');
    // Some files name values of attributes that are defined in a later file or never: the engine ignores these lines.
    const definition = this.#byName.get((attribute ?? '').toLowerCase());
    if (definition) definition.definedValues[value] ??= name;
  }
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^(0x[0-9a-f]+|[0-9]+)$/i.test(text) ? Number(text) : undefined;
}
