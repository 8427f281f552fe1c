import { isIP } from 'node:net';

/** A client of `clients.conf`, which is an access device. */
export interface ConfiguredClient {
  name: string;
  address: string;
  secret: string;
  /** Line where its section starts. */
  line: number;
}

/** An entry of the file that is not imported, with the reason. */
export interface LeftOut {
  line: number;
  what: string;
}

interface Section {
  line: number;
  /** `client`, or another keyword. */
  kind: string;
  name: string;
  settings: Map<string, { value: string; line: number }>;
}

/** Settings that need no warning. */
const ignoredSettings = new Set([
  'nas_type',
  'nastype',
  'shortname',
  'secret',
  'ipaddr',
  'ipv4addr',
  'ipv6addr',
  'netmask',
]);
const addressSettings = ['ipaddr', 'ipv4addr', 'ipv6addr'];

/**
 * Reads `clients.conf` of FreeRADIUS. Only an entry with one address and a secret is imported. Networks, host names, references and
 * other lines are listed as skipped.
 */
export function readClientsConf(text: string): { clients: ConfiguredClient[]; leftOut: LeftOut[] } {
  const { sections, leftOut } = sectionsIn(text);
  const clients: ConfiguredClient[] = [];
  for (const section of sections) {
    const client = clientOf(section);
    if (typeof client === 'string') leftOut.push({ line: section.line, what: client });
    else if (clients.some(({ address }) => address === client.address))
      leftOut.push({ line: section.line, what: `client ${client.name}: ${client.address} is already in the file` });
    else clients.push(client);
    if (section.kind === 'client')
      for (const [key, { line, value }] of section.settings)
        if (!ignoredSettings.has(key)) leftOut.push({ line, what: `${key} = ${value} of client ${section.name}` });
  }
  return { clients, leftOut: leftOut.sort((first, second) => first.line - second.line) };
}

/** Returns a client, or the reason to skip the section. */
function clientOf({ kind, name, line, settings }: Section): ConfiguredClient | string {
  if (kind !== 'client') return titleOf({ kind, name });
  const addressText = addressSettings.flatMap((key) => settings.get(key)?.value ?? [])[0] ?? name;
  const netmask = settings.get('netmask')?.value;
  const [address = '', prefix = netmask] = addressText.split('/');
  const family = isIP(address);
  const words = `client ${name}: ${addressText}`;
  if (family === 0) return `${words} is not an address`;
  if (prefix !== undefined && Number(prefix) !== (family === 4 ? 32 : 128))
    return `${words} is a network: add each of its devices`;
  const secret = settings.get('secret');
  if (!secret || secret.value === '') return `client ${name} has no secret`;
  if (/\$\{|\$ENV/.test(secret.value)) return `client ${name}: its secret is a reference`;
  const shortname = settings.get('shortname')?.value;
  return { name: shortname || name, address, secret: secret.value, line };
}

const headPattern = /^(?<kind>\w+)(?:\s+(?<name>[^\s{}="']+))?\s*\{/;
const settingPattern =
  /^(?<key>[\w.-]+)\s*[:+]?=\s*(?:"(?<double>(?:\\.|[^"\\])*)"|'(?<single>(?:\\.|[^'\\])*)'|(?<bare>[^\s}"']*))/;

const titleOf = ({ kind, name }: Pick<Section, 'kind' | 'name'>): string => `section ${kind} ${name}`.trim();

function sectionsIn(text: string): { sections: Section[]; leftOut: LeftOut[] } {
  const sections: Section[] = [];
  const leftOut: LeftOut[] = [];
  const open: Section[] = [];
  const begin = (section: Section) => {
    if (open.length === 0) sections.push(section);
    // Connection limits of a client have no counterpart.
    else if (section.kind !== 'limit') leftOut.push({ line: section.line, what: titleOf(section) });
    open.push(section);
  };
  /** Parses the first token of a line and returns the rest. */
  const take = (line: number, rest: string): string => {
    if (rest.startsWith('}')) {
      open.pop();
      return rest.slice(1);
    }
    const head = headPattern.exec(rest);
    if (head) {
      begin({ line, kind: head.groups!.kind!, name: head.groups!.name ?? '', settings: new Map() });
      return rest.slice(head[0].length);
    }
    const setting = settingPattern.exec(rest);
    const after = rest.slice(setting?.[0].length ?? 0).trim();
    if (setting && open.length > 0 && /^([#}]|$)/.test(after)) {
      open.at(-1)!.settings.set(setting.groups!.key!, { value: settingValue(setting), line });
      return after;
    }
    leftOut.push({ line, what: rest.replace(/(secret\s*=).*/, '$1 …') });
    if (/\}$/.test(rest)) open.pop();
    return '';
  };
  for (const [index, lineText] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries())
    for (let rest = lineText.trim(); rest !== '' && !rest.startsWith('#'); ) rest = take(index + 1, rest).trim();
  return { sections, leftOut };
}

function settingValue({ groups }: RegExpExecArray): string {
  const { double, single, bare } = groups!;
  return bare ?? (double ?? single ?? '').replaceAll(/\\(.)/g, '$1');
}
