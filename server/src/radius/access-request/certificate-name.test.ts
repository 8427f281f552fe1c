import { expect, test } from 'vitest';
import { certificateName } from './certificate-name.ts';

const nameOf = (name: string | undefined, subject: string | undefined) =>
  certificateName(
    new Map([
      ...(name === undefined ? [] : [['TLS-Client-Cert-Common-Name', [name]] as const]),
      ...(subject === undefined ? [] : [['TLS-Client-Cert-Subject', [subject]] as const]),
    ]),
  );

test.each([
  ['printer-9', '/CN=printer-9'],
  ['printer-9', '/C=CH/O=Campus/CN=printer-9/emailAddress=it@example.org'],
  ['HTTP/host.example.org', '/O=Campus/CN=HTTP/host.example.org'],
  ['zoë', '/CN=zo\\xC3\\xAB'],
  ['zoë', '/CN=zoë'],
])('believes the name %s of the subject %s', (name, subject) => {
  expect(nameOf(name, subject)).toBe(name);
});

test.each([
  ['Campus CA', '/O=x'],
  ['Campus CA', '/O=Campus CA'],
  ['Campus CA', '/O=x/CN=Campus CA 2'],
  ['Campus CA', '/CN=Old Campus CA'],
  ['', '/CN=/O=x'],
  ['Campus CA', undefined],
  [undefined, '/CN=printer-9'],
])('does not believe the name %s of the subject %s', (name, subject) => {
  expect(nameOf(name, subject)).toBeNull();
});
