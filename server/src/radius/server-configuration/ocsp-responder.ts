import { isIPv6 } from 'node:net';
import type { OutboundGuard } from '../../protocols/outbound/outbound.ts';

/** The OCSP responder of a profile. The engine does not judge where it connects to, so its files have an address that was judged. */
export interface OcspResponder {
  /** As it is stored. */
  url: string;
  /** Address that the name had, and that may be connected to; null: there is none now. */
  address: string | null;
}

const removeBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** The host of a stored URL; undefined: it is no URL. */
export const hostOf = (url: string): string | undefined => {
  const host = URL.parse(url)?.hostname;
  return host === undefined ? undefined : removeBrackets(host);
};

/**
 * Resolves the responder of a profile and judges its address. A name that cannot be resolved keeps the address that it had when the
 * running files were made, if that may still be connected to: a failure of the resolver must not refuse every certificate.
 */
export async function findResponder(
  url: string,
  guard: OutboundGuard,
  previous: OcspResponder | undefined,
): Promise<{ responder: OcspResponder; problem: string | null }> {
  const host = hostOf(url);
  if (host === undefined) return { responder: { url, address: null }, problem: 'it is no URL' };
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

/** The URL for the files of the engine: nothing listens at port 0, so without an address the responder counts as one that does not answer. */
export function engineUrl({ url, address }: OcspResponder): string {
  if (address === null) return 'http://127.0.0.1:0/';
  const { port, pathname, search } = new URL(url);
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port === '' ? 80 : port}${pathname}${search}`;
}
