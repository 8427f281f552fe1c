export {
  type CliPasswords,
  credentialShapes,
  missingForSnmp,
  storedCredentials,
} from './credentials.ts';
export { isBySnmp, type SnmpSettings, snmpCredentials } from './snmp-credentials.ts';
