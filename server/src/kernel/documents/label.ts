/** Short forms that are written in capitals, and others that are spelled out. */
const capitals =
  /^(?:aaa|api|cli|crl|db|dhcp|dn|dns|eap|guid|http|https|id|ip|ldap|mab|mac|mdm|mib|nas|oid|os|oui|pap|chap|radius|rdn|sid|snmp|ssh|ssid|ssl|tls|ttl|ttls|peap|uid|url|usb|uuid|vlan|vpn|wpa|l2|l3|sso)$/;
const spelled: Readonly<Record<string, string>> = {
  addr: 'address',
  admin: 'administrator',
  attr: 'attribute',
  attrs: 'attributes',
  auth: 'authentication',
  coa: 'CoA',
  config: 'configuration',
  dbid: 'ID',
  descr: 'description',
  ids: 'IDs',
  ifoper: 'interface operating',
  ifadmin: 'interface administrative',
  img: 'image',
  ipaddress: 'IP address',
  ips: 'IPs',
  macaddress: 'MAC address',
  macs: 'MACs',
  mibs: 'MIBs',
  op: 'operator',
  phys: 'physical',
  ssids: 'SSIDs',
  sys: 'system',
  urls: 'URLs',
  vlans: 'VLANs',
};

/** The name of a field in words: `nasIdentifier` is "NAS identifier". */
export function labelOf(name: string): string {
  const words = name
    // A capital begins a word, but several in a row are one short form: `addGroupIDs`, `hostIPAddress`.
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z]{2,})/g, '$1 $2')
    .split(/[\s_-]+/)
    .map((word) => word.toLowerCase())
    .map((word) => spelled[word] ?? (capitals.test(word) ? word.toUpperCase() : word));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
