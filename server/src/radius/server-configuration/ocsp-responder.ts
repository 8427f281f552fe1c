import { isIPv6 } from 'node:net';
import type { OutboundGuard } from '../../protocols/outbound/outbound.ts';

/** The OCSP responder of a profile. The engine does not check its target, so its files have an address that the outbound guard permitted. */
export interface OcspResponder {
  /** The URL as it is stored. */
  url: string;
  /** Permitted address that the name resolved to; null: none at present. */
  address: string | null;
}

const removeBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** Returns the host of a stored URL; undefined if it is not a URL. */
export const hostOf = (url: string): string | undefined => {
  const host = URL.parse(url)?.hostname;
  return host === undefined ? undefined : removeBrackets(host);
};

/**
 * Resolves the responder of a profile and checks its address. If the name cannot be resolved, it keeps the address in the current files,
 * if that is still permitted: a failure of the resolver must not cause the rejection of every certificate.
 */
export async function findResponder(
  url: string,
  guard: OutboundGuard,
  previous: OcspResponder | undefined,
): Promise<{ responder: OcspResponder; problem: string | null }> {
  const host = hostOf(url);
  if (host === undefined) return { responder: { url, address: null }, problem: 'it is not a URL.' };
  try {
    return { responder: { url, address: (await guard.resolve(host)).address }, problem: null };
  } catch (error) {
    const problem = (error as Error).message;
    const previousAddress = previous?.url === url ? previous.address : null;
    const isUsable =
      previousAddress !== null &&
      (await guard.resolve(previousAddress).then(
        () => true,
        () => false,
      ));
    return { responder: { url, address: isUsable ? previousAddress : null }, problem };
  }
}

/** Returns the URL for the files of the engine. Without an address it has port 0, where no responder can answer. */
export function engineUrl({ url, address }: OcspResponder): string {
  if (address === null) return 'http://127.0.0.1:0/';
  const { port, pathname, search } = new URL(url);
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port === '' ? 80 : port}${pathname}${search}`;
}
