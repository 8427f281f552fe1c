import { Parameters } from '../context.ts';
import { isNetworkOrAddress } from '../kernel/values/address.ts';
import { likePattern } from '../kernel/values/like-pattern.ts';
import { macEndSql, readMac, readMacEnd, readMacPrefix } from '../kernel/values/mac.ts';

/** Minimum number of digits of a MAC prefix; shorter ones match too many addresses. */
const prefixMin = 4;

/** SQL conditions for the possible meanings of a search text; undefined if the text cannot have that meaning. */
export class SearchText {
  readonly #text: string;
  readonly #parameters = new Parameters();

  constructor(text: string) {
    this.#text = text;
  }

  get values(): readonly unknown[] {
    return this.#parameters.values;
  }

  /** Matches a part of the column, in upper or lower case. */
  partOf(column: string): string {
    return `lower(${column}) like lower(${this.#add(likePattern(this.#text))})`;
  }

  /** Matches the complete column, in upper or lower case. */
  equals(column: string, text = this.#text): string {
    return `lower(${column}) = lower(${this.#add(text)})`;
  }

  /** Matches a MAC address in any notation, or its prefix. */
  beginsMac(column: string): string | undefined {
    const mac = readMac(this.#text) ?? (this.#digits >= prefixMin ? readMacPrefix(this.#text) : undefined);
    // The upper bound is exclusive: all characters that can follow a prefix sort before G.
    return mac && `${column} >= ${this.#add(mac)} and ${column} < ${this.#add(`${mac}G`)}`;
  }

  /** Matches the last digits of a MAC address. */
  endsMac(column: string): string | undefined {
    const end = readMacEnd(this.#text);
    return end && `${macEndSql(column)} = ${this.#add(end.slice(-5))} and ${column} like ${this.#add(`%${end}`)}`;
  }

  /** Matches an IP address, or all addresses in a network. */
  address(column: string): string | undefined {
    if (!isNetworkOrAddress(this.#text)) return undefined;
    return `${column} ${this.#text.includes('/') ? '<<=' : '='} ${this.#parameters.add(this.#text, '::inet')}`;
  }

  /** A device and its port, from a text such as `sw-1 Gi1/0/7` or `sw-1:Gi1/0/7`. */
  get places(): { device: string; port: string }[] {
    const [, device, port] = /^(.*\S)\s*[\s:]\s*(\S+)$/.exec(this.#text) ?? [];
    return device && port ? [{ device, port }] : [];
  }

  get #digits(): number {
    return this.#text.replaceAll(/[^0-9a-f]/gi, '').length;
  }

  #add(text: string): string {
    return this.#parameters.add(text, '::text');
  }
}
