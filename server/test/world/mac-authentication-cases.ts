type Values = string | readonly string[];

/** A request, and whether it is MAC authentication. */
export interface MacAuthenticationCase {
  name: string;
  isMac: boolean;
  attributes: Readonly<Record<string, Values>>;
}

const mac = { 'User-Name': '001d09040001', 'User-Password': '001d09040001', 'Calling-Station-Id': '00-1D-09-04-00-01' };
const wired = { ...mac, 'NAS-Port-Type': 'Ethernet' };
const wrong = { ...mac, 'User-Password': 'another' };
const person = { ...wired, 'User-Name': 'casey', 'User-Password': 'casey' };

const entry = (name: string, isMac: boolean, attributes: Record<string, Values>): MacAuthenticationCase => ({
  name,
  isMac,
  attributes,
});

/** Requests that the engine and the node must classify in the same way. */
export const macAuthenticationCases: readonly MacAuthenticationCase[] = [
  entry('Call-Check', true, { ...mac, 'Service-Type': 'Call-Check' }),
  entry('Call-Check with another password', true, { ...wrong, 'Service-Type': 'Call-Check' }),
  entry('Call-Check on a virtual port', true, { ...mac, 'Service-Type': 'Call-Check', 'NAS-Port-Type': 'Virtual' }),
  entry('a wired port', true, wired),
  entry('a wired port and a framed service', true, { ...wired, 'Service-Type': 'Framed-User' }),
  entry('Wi-Fi', true, { ...mac, 'NAS-Port-Type': 'Wireless-802.11' }),
  entry('another wireless port', true, { ...mac, 'NAS-Port-Type': 'Wireless-Other' }),
  ...['001D09040001', '00:1d:09:04:00:01', '001d.0904.0001', '001d09-040001', '00-1d-09-04-00-01'].map((spelling) =>
    entry(`the name ${spelling}`, true, { ...wired, 'User-Name': spelling, 'User-Password': spelling }),
  ),
  ...['001d09040001', '00:1D:09:04:00:01', '001d.0904.0001'].map((spelling) =>
    entry(`Calling-Station-Id ${spelling}`, true, { ...wired, 'Calling-Station-Id': spelling }),
  ),
  ...['Login-User', 'Administrative-User', 'NAS-Prompt-User', 'Authenticate-Only', 'Outbound-User'].map((serviceType) =>
    entry(`Service-Type ${serviceType}`, false, { ...wired, 'Service-Type': serviceType }),
  ),
  entry('a login at a command line', false, {
    ...mac,
    'Calling-Station-Id': '10.1.2.3',
    'Service-Type': 'NAS-Prompt-User',
    'NAS-Port-Type': 'Virtual',
  }),
  entry('a virtual port', false, { ...mac, 'NAS-Port-Type': 'Virtual' }),
  entry('no NAS-Port-Type', false, mac),
  entry('another password', false, { ...wired, 'User-Password': '001d09040002' }),
  entry('the password in another spelling', false, { ...wired, 'User-Password': '00-1d-09-04-00-01' }),
  entry('another MAC address in Calling-Station-Id', false, { ...wired, 'Calling-Station-Id': '00-1D-09-04-00-02' }),
  entry('an IP address in Calling-Station-Id', false, { ...wired, 'Calling-Station-Id': '10.1.2.3' }),
  entry('more behind the MAC address in Calling-Station-Id', false, {
    ...wired,
    'Calling-Station-Id': '00-1D-09-04-00-01-02',
  }),
  entry('more before the MAC address in the name', false, {
    ...wired,
    'User-Name': 'x001d09040001',
    'User-Password': 'x001d09040001',
  }),
  entry('a line break behind Calling-Station-Id', false, { ...wired, 'Calling-Station-Id': '00-1D-09-04-00-01\n' }),
  entry('a bar in the name', false, {
    ...wired,
    'User-Name': '001d09040001|001d09040001',
    'User-Password': '001d09040001|001d09040001',
    'Calling-Station-Id': '',
  }),
  entry('a person whose password is the name', false, person),
  entry('the first Service-Type is Login', false, { ...wired, 'Service-Type': ['Login-User', 'Call-Check'] }),
  entry('the first Service-Type is Call-Check', true, { ...wired, 'Service-Type': ['Call-Check', 'Login-User'] }),
  entry('the first NAS-Port-Type is Virtual', false, { ...mac, 'NAS-Port-Type': ['Virtual', 'Ethernet'] }),
  entry('the second User-Name is the MAC address', false, {
    ...wired,
    'User-Name': ['casey', '001d09040001'],
  }),
  entry('the second Calling-Station-Id is the MAC address', false, {
    ...wired,
    'Calling-Station-Id': ['10.1.2.3', '00-1D-09-04-00-01'],
  }),
];
