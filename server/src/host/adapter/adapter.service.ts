export { type AddressChange, type ConnectionsRead, emitAddresses, followConnections } from './follow-connections.ts';
