import { isIP } from 'node:net';

/** An access device in a file of FreeRADIUS. */
export interface ConfiguredClient {
  name: string;
  address: string;
  secret: string;
  /** Where its section begins. */
  line: number;
}

/** Something in the file that was not taken over, and why. */
export interface LeftOut {
  line: number;
  what: string;
}

interface Section {
  line: number;
  /** `client`, or what else stands there. */
  kind: string;
  name: string;
  settings: Map<string, { value: string; line: number }>;
}

/** Settings that need nothing here. */
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
 * Reads `clients.conf` of FreeRADIUS. Only what is meant for one address with its secret is a client; networks, names that would have
 * to be resolved, references and lines of other kinds are listed instead of guessed.
 */
export function readClientsConf(text: string): { clients: ConfiguredClient[]; leftOut: LeftOut[] } {
  const { sections, leftOut } = sectionsIn(text);
  const clients: ConfiguredClient[] = [];
  for (const section of sections) {
    const client = clientOf(section);
    if (typeof client === 'string') leftOut.push({ line: section.line, what: client });
    else if (clients.some(({ address }) => address === client.address))
      leftOut.push({ line: section.line, what: `client ${client.name}: ${client.address} is there already` });
    else clients.push(client);
    if (section.kind === 'client')
      for (const [key, { line, value }] of section.settings)
        if (!ignoredSettings.has(key)) leftOut.push({ line, what: `${key} = ${value} of client ${section.name}` });
  }
  return { clients, leftOut: leftOut.sort((first, second) => first.line - second.line) };
}

/** A client, or why it is none. */
function clientOf({ kind, name, line, settings }: Section): ConfiguredClient | string {
  if (kind !== 'client') return titleOf({ kind, name });
  const addressText = addressSettings.flatMap((key) => settings.get(key)?.value ?? [])[0] ?? name;
  const netmask = settings.get('netmask')?.value;
  const [address = '', prefix = netmask] = addressText.split('/');
  const family = isIP(address);
  const words = `client ${name}: ${addressText}`;
  if (family === 0) return `${words} is no address`;
  if (prefix !== undefined && Number(prefix) !== (family === 4 ? 32 : 128))
    return `${words} is a network: add each of its devices`;
  const secret = settings.get('secret');
  if (!secret || secret.value === '') return `client ${name} has no secret`;
  if (/\$\{|\$ENV/.test(secret.value)) return `client ${name}: its secret refers to something else`;
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
    // How many connections a client may have at once is no matter of ours.
    else if (section.kind !== 'limit') leftOut.push({ line: section.line, what: titleOf(section) });
    open.push(section);
  };
  /** Takes the first thing of a line, and returns what follows it. */
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
