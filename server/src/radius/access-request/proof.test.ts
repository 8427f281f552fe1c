import { describe, expect, test } from 'vitest';
import { readRequest } from './parse-access-request.ts';
import { proofOf } from './proof.ts';

const proof = (attributes: Record<string, string>) => {
  const packet = new Map(Object.entries(attributes).map(([name, value]) => [name, [value]]));
  return proofOf(readRequest(packet), packet);
};

describe('the name that a login proved', () => {
  test('is the user name of a password outside a tunnel', () => {
    expect(proof({ 'User-Name': 'alice' }).userName).toBe('alice');
  });

  test('is the common name of the certificate in EAP-TLS', () => {
    const certificate = { 'TLS-Client-Cert-Common-Name': 'pump-7', 'TLS-Client-Cert-Subject': '/O=example/CN=pump-7' };
    expect(proof({ 'User-Name': 'x', 'EAP-Type': 'TLS', ...certificate }).userName).toBe('pump-7');
    expect(proof({ 'User-Name': 'x', 'EAP-Type': 'TLS', 'Stripped-User-Name': 'alice' }).userName).toBeNull();
  });

  const inTunnel = {
    'User-Name': 'anonymous',
    'Stripped-User-Name': 'alice',
    'Portreeve-Password-Owner': 'alice',
  };
  test.each(['TTLS', 'PEAP'])('is the inner name in %s, if a password was compared', (type) => {
    for (const method of ['PAP', 'CHAP', 'MS-CHAP', 'MSCHAPv2', 'GTC', 'MD5'])
      expect(proof({ ...inTunnel, 'EAP-Type': type, 'Portreeve-Inner-Method': method }).userName).toBe('alice');
  });

  test.each(['TLS', 'TTLS', 'PEAP', 'FAST'])('is not the inner name if %s was used inside a tunnel', (method) => {
    for (const type of ['TTLS', 'PEAP']) {
      const { userName, fault } = proof({ ...inTunnel, 'EAP-Type': type, 'Portreeve-Inner-Method': method });
      expect(userName).toBeNull();
      expect(fault).toBe(`${method} inside ${type} proves no name: only a password does.`);
    }
  });

  test('is not the inner name if no inner method is known', () => {
    expect(proof({ ...inTunnel, 'EAP-Type': 'TTLS' }).userName).toBeNull();
  });

  test('is not the inner name if the password was of another account, or of none', () => {
    const session = { ...inTunnel, 'EAP-Type': 'TTLS', 'Portreeve-Inner-Method': 'PAP' };
    expect(proof({ ...session, 'Portreeve-Password-Owner': 'mallory' })).toMatchObject({
      userName: null,
      fault: 'The password that was checked belongs to another account than the name.',
    });
    const { 'Portreeve-Password-Owner': _, ...withoutOwner } = session;
    expect(proof(withoutOwner).userName).toBeNull();
  });
});
