import { type InputOf, inputShape, type RecordOf } from '../../kernel/declare/declaration.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import type { Typed } from '../../kernel/declare/value-of.ts';
import { type CredentialsSent, credentialShapes } from './credentials.ts';
import { networkDevice } from './network-device.ts';

export type Device = RecordOf<typeof networkDevice>;

/** A device in a request: the fields of the record and the credentials. */
export type DeviceInput = Omit<InputOf<typeof networkDevice>, 'cliPasswords' | keyof CredentialsSent> & CredentialsSent;

const { cliPasswords: _, ...ownProperties } = inputShape(networkDevice).properties;

export const deviceInput: ObjectShape & Typed<DeviceInput> = {
  kind: 'object',
  name: 'NetworkDeviceInput',
  properties: { ...ownProperties, ...credentialShapes },
};
