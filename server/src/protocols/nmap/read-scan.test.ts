import { describe, expect, test } from 'vitest';
import { portsInWords, readScan } from './read-scan.ts';

const scan = (host: string, end = '<runstats><finished time="1"/></runstats>') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE nmaprun>\n<nmaprun scanner="nmap">${host}${end}</nmaprun>`;

const host = `<host><status state="up"/><ports><extraports state="closed" count="998"/>
  <port protocol="tcp" portid="22"><state state="open"/><service name="ssh" product="OpenSSH" version="9.2p1 &quot;x&quot;"/></port>
  <port protocol="tcp" portid="23"><state state="filtered"/><service name="telnet"/></port>
  <port protocol="udp" portid="161"><state state="open"/></port>
  </ports><os><osmatch name="Linux 5.X" accuracy="98"/><osmatch name="Linux 4.X"/></os></host>`;

describe('what nmap writes', () => {
  test('is read: open ports with who answers, and the best system', () => {
    const findings = readScan(scan(host));
    expect(findings).toEqual({
      isUp: true,
      operatingSystem: 'Linux 5.X',
      ports: [
        { protocol: 'tcp', port: 22, service: 'ssh', product: 'OpenSSH', version: '9.2p1 "x"' },
        { protocol: 'udp', port: 161, service: '', product: '', version: '' },
      ],
    });
    expect(portsInWords(findings.ports)).toBe('22/tcp ssh OpenSSH 9.2p1 "x", 161/udp');
  });

  test('of a host that is not there is that', () => {
    expect(readScan(scan('<host><status state="down"/></host>'))).toEqual({
      isUp: false,
      ports: [],
      operatingSystem: null,
    });
    expect(readScan(scan(''))).toEqual({ isUp: false, ports: [], operatingSystem: null });
  });

  test.each([
    ['a document that breaks off', scan(host).slice(0, -30)],
    ['no end', scan(host, '')],
    ['no XML', 'Starting Nmap 7.93'],
    [
      'an entity of its own',
      `<!DOCTYPE nmaprun [<!ENTITY x SYSTEM "file:///etc/passwd">]><nmaprun><host><status state="&x;"/></host></nmaprun>`,
    ],
    ['two tags that cross', scan('<host><ports></host></ports>')],
  ])('%s is refused', (_, text) => {
    expect(() => readScan(text)).toThrow('nmap');
  });

  test('a banner with signs of control is text without them', () => {
    const [port] = readScan(scan(host.replace('OpenSSH', '&#x9;a\u202Eb&lt;script&gt;'))).ports;
    expect(port!.product).not.toContain('\u0009');
    expect(port!.product).toContain('<script>');
  });
});
