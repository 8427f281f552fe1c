/** What accounting shares with access requests: the devices, their ports, and the limits of new hosts. */

export type { AccessDevice } from './access-devices.ts';
export { type AccessRequest, readRequest } from './access-request.ts';
export { RequestPlaces } from './request-places.ts';
export { isRefusal } from './store-answers.ts';
export { UnknownMacs } from './unknown-macs.ts';
