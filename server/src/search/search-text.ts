import { Parameters } from '../context.ts';
import { isNetworkOrAddress } from '../kernel/values/address.ts';
import { likePattern } from '../kernel/values/like-pattern.ts';
import { macEndSql, readMac, readMacEnd, readMacPrefix } from '../kernel/values/mac.ts';

/** Fewer digits begin too many MAC addresses. */
const prefixMin = 4;

/** What a text can stand for, as conditions of SQL over a column; undefined: it cannot stand for that. */
export class SearchText {
  readonly #text: string;
  readonly #parameters = new Parameters();

  constructor(text: string) {
    this.#text = text;
  }

  get values(): readonly unknown[] {
    return this.#parameters.values;
  }

  /** A part of the column. */
  partOf(column: string): string {
    return `lower(${column}) like lower(${this.#add(likePattern(this.#text))})`;
  }

  /** The whole column, in any case. */
  equals(column: string, text = this.#text): string {
    return `lower(${column}) = lower(${this.#add(text)})`;
  }

  /** A MAC address in any notation, or its beginning. */
  beginsMac(column: string): string | undefined {
    const mac = readMac(this.#text) ?? (this.#digits >= prefixMin ? readMacPrefix(this.#text) : undefined);
    // Nothing that can follow in an address comes after F.
    return mac && `${column} >= ${this.#add(mac)} and ${column} < ${this.#add(`${mac}G`)}`;
  }

  /** The last digits of a MAC address. */
  endsMac(column: string): string | undefined {
    const end = readMacEnd(this.#text);
    return end && `${macEndSql(column)} = ${this.#add(end.slice(-5))} and ${column} like ${this.#add(`%${end}`)}`;
  }

  /** An IP address, or a network that it is in. */
  address(column: string): string | undefined {
    if (!isNetworkOrAddress(this.#text)) return undefined;
    return `${column} ${this.#text.includes('/') ? '<<=' : '='} ${this.#parameters.add(this.#text, '::inet')}`;
  }

  /** A device and a port of it, as `sw-1 Gi1/0/7` or `sw-1:Gi1/0/7`. */
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
