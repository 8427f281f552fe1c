import { settings } from '../../kernel/declare/declaration.ts';
import { type Field, isSet, modified, notYet, port, secret, text, version } from '../../kernel/declare/field.ts';

/** The address of a proxy; empty for direct connections. */
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
    // RFC 7617 section 2: a colon ends the user name, and control characters are not allowed.
    pattern: { source: '^[^:\\p{Cc}]*$', words: 'a user name without colon and control characters' },
    example: 'portreeve',
    doc: 'User name for the proxy; empty: no authentication.',
  });

const directTargets = (what: string) =>
  text({
    max: 4_000,
    default: '',
    doc: `Targets that ${what} reaches without the proxy: names with * as wildcard, addresses and CIDRs, separated by |.`,
  });

const portOf = () => port({ default: 0, doc: 'TCP port of the proxy; 0 only without a proxy.' });
const password = (scheme: 'http' | 'https' | 'ftp') =>
  secret({
    max: 255,
    boundTo: [`${scheme}ProxyHost`, `${scheme}ProxyPort`, `${scheme}ProxyUser`],
    doc: 'Password of that account.',
  });

const unsupported = <F extends Field>(field: F): F => notYet(field, 'files are moved by FTP');

/** The web proxies for connections of this service to other systems. */
export const proxySettings = settings({
  name: 'proxy-settings',
  title: 'Proxy settings',
  path: '/settings/integration/proxy',
  permission: 'system-settings',
  doc: 'Web proxies for outgoing HTTP and HTTPS connections, currently used for traces to a collector, and the targets reached without them.',
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
    httpNonProxyHosts: directTargets('HTTP and HTTPS'),
    httpsProxyHost: host('HTTPS'),
    httpsProxyPort: portOf(),
    httpsProxyUser: user(),
    httpsProxyPassword: password('https'),
    httpsProxyPasswordSet: isSet('httpsProxyPassword'),
    ftpProxyHost: unsupported(host('FTP')),
    ftpProxyPort: unsupported(portOf()),
    ftpProxyUser: unsupported(user()),
    ftpProxyPassword: unsupported(password('ftp')),
    ftpProxyPasswordSet: isSet('ftpProxyPassword'),
    ftpNonProxyHosts: unsupported(directTargets('FTP')),
    version,
    ...modified,
  },
});
