/** The public interface for the requests of a node's RADIUS engine, and what accounting shares with them. */

export { type AccessDevice, AccessDevices } from './access-devices.ts';
export { AccessRequestHandler, type EngineRequest } from './access-request-handler.ts';
export { clientOf } from './engine-client.ts';
export { type FoundDevice, findAccessDevice } from './find-access-device.ts';
export { markAttribute, markOf, readNote, type TestNote, testedDevice } from './login-test.ts';
export { type AccessRequest, readRequest } from './parse-access-request.ts';
export { RefusedSources } from './refused-sources.ts';
export { RequestPlaces } from './request-places.ts';
export { AccessRequestStore, isRefusal } from './store-answers.ts';
export { UnknownMacs } from './unknown-macs.ts';
export { WrittenAnswers } from './write-answers.ts';
