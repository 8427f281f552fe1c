import { Failure } from '../failure.ts';

/** What a browser reports about the page that sends a request. */
export interface PageHeaders {
  /** `Sec-Fetch-Site` (Fetch Metadata): set by the browser, out of reach of scripts. */
  fetchSite: string | undefined;
  /** `Origin` (RFC 6454, section 7). */
  origin: string | undefined;
  /** The host that the request is for, as the client or a trusted proxy reports it. */
  host: string | undefined;
}

const refused = () =>
  new Failure(
    'forbidden',
    'This operation does not accept requests from pages of another site; use the console or a client.',
  );

/**
 * Refuses a request that a browser sends for a page of another site. Without it, any page that an administrator visits could send sign-in
 * attempts from the administrator's own network, and these lock the account there.
 *
 * `Sec-Fetch-Site` decides where the browser sends it: on HTTPS and on loopback. Otherwise `Origin` has to name the host of the request
 * or the configured public URL. A client that is no browser sends neither header and is accepted.
 */
export function refuseForeignPage({ fetchSite, origin, host }: PageHeaders, publicOrigin: string | undefined): void {
  if (fetchSite !== undefined) {
    // "none": the user started the request, for example from a bookmark. Other hosts of the same site are not trusted either.
    if (fetchSite === 'same-origin' || fetchSite === 'none') return;
    throw refused();
  }
  if (origin === undefined) return;
  // An opaque origin ("null") and several origins cannot be parsed, so they are refused.
  const page = URL.parse(origin);
  const isWebPage = page?.protocol === 'https:' || page?.protocol === 'http:';
  if (isWebPage && (page.origin === publicOrigin || page.host === hostOf(page.protocol, host))) return;
  throw refused();
}

/** The host and its port, which is left out if it is the default of the scheme: `Host` and `Origin` may differ in that. */
const hostOf = (protocol: string, host: string | undefined): string | undefined =>
  URL.parse(`${protocol}//${host}`)?.host;
