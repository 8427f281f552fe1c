export { accessTo, type PolledDevice, polledDeviceSql, sealedSecrets, sealedSql } from './device-access.ts';
export { DevicePoller } from './poller.ts';
export { countHits, readSurroundings, storeAddresses } from './store-connections.ts';
export { deviceStatus } from './store-contact.ts';
export { identityFields, portStatus, storeIdentifiers } from './store-interfaces.ts';
export { holdAddressesSql, learnedChangesSql, storeLearnedSql } from './store-learned-macs.ts';
export { uplink } from './uplinks.ts';
