import { settings } from '../../kernel/declare/declaration.ts';
import { type Field, isSet, modified, notYet, port, secret, text, version } from '../../kernel/declare/field.ts';

/** Where a proxy listens; empty: connections go directly. */
const host = (what: string) =>
  text({
    max: 255,
    default: '',
    pattern: { source: '^[A-Za-z0-9._:-]*$', words: 'a host name or an address, or empty for direct connections' },
    example: 'proxy.example.org',
    doc: `Host name or address of the proxy for ${what}; empty: direct.`,
  });

const user = () =>
  text({
    max: 255,
    default: '',
    // RFC 7617 section 2: a colon ends the user name, and control characters have no place in it.
    pattern: { source: '^[^:\\p{Cc}]*$', words: 'a user name without colon and control characters' },
    example: 'portreeve',
    doc: 'User name for the proxy; empty: no authentication.',
  });

const nonProxyHosts = (what: string) =>
  text({
    max: 4_000,
    default: '',
    doc: `Targets that ${what} reaches without the proxy: names with * as wildcard, addresses and CIDRs, separated by |.`,
  });

const portOf = () => port({ default: 0, doc: 'TCP port of the proxy; 0 only where there is none.' });
const password = (scheme: 'http' | 'https' | 'ftp') =>
  secret({
    max: 255,
    boundTo: [`${scheme}ProxyHost`, `${scheme}ProxyPort`, `${scheme}ProxyUser`],
    doc: 'Password of that account.',
  });

const refused = <F extends Field>(field: F): F => notYet(field, 'files are moved by FTP');

/** The web proxy for what this service fetches from the outside. */
export const proxySettings = settings({
  name: 'proxy-settings',
  title: 'Proxy settings',
  path: '/settings/integration/proxy',
  permission: 'system-settings',
  doc: 'Web proxies for outgoing HTTP and HTTPS connections, today those with traces for a collector, and the targets reached without them.',
  events: { elementType: 10 },
  example: {
    httpsProxyHost: 'proxy.example.org',
    httpsProxyPort: 3128,
    httpsProxyUser: 'portreeve',
    httpsProxyPassword: 'a-password-of-the-proxy',
    httpNonProxyHosts: '*.example.org|10.0.0.0/8',
  },
  fields: {
    httpProxyHost: host('HTTP'),
    httpProxyPort: portOf(),
    httpProxyUser: user(),
    httpProxyPassword: password('http'),
    httpProxyPasswordSet: isSet('httpProxyPassword'),
    httpNonProxyHosts: nonProxyHosts('HTTP and HTTPS'),
    httpsProxyHost: host('HTTPS'),
    httpsProxyPort: portOf(),
    httpsProxyUser: user(),
    httpsProxyPassword: password('https'),
    httpsProxyPasswordSet: isSet('httpsProxyPassword'),
    ftpProxyHost: refused(host('FTP')),
    ftpProxyPort: refused(portOf()),
    ftpProxyUser: refused(user()),
    ftpProxyPassword: refused(password('ftp')),
    ftpProxyPasswordSet: isSet('ftpProxyPassword'),
    ftpNonProxyHosts: refused(nonProxyHosts('FTP')),
    version,
    ...modified,
  },
});
