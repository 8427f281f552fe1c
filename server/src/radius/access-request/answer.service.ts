/** The public interface for the requests of a node's RADIUS engine. */

export { type AccessDevice, AccessDevices } from './access-devices.ts';
export { AccessRequestHandler, type EngineRequest } from './access-request-handler.ts';
export { clientOf } from './engine-client.ts';
export { type FoundDevice, findAccessDevice } from './find-access-device.ts';
export { markAttribute, markOf, readNote, type TestNote, testedDevice } from './login-test.ts';
export { RefusedSources } from './refused-sources.ts';
export { AccessRequestStore } from './store-answers.ts';
export { WrittenAnswers } from './write-answers.ts';
