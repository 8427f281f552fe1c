import type { ConnectionFacts, Decision } from '../decide/decide.service.ts';

interface Reply {
  code: 'Access-Accept' | 'Access-Reject';
  attributes: { name: string; value: string }[];
}

const attribute = (name: string, value: string) => ({ name, value });

/** Attributes of a value (RFC 3580, section 3.31; RFC 2865, section 5.11); those of attribute groups are rendered by RADIUS itself. */
function valueAttributes({ value }: Decision): Reply['attributes'] {
  if (value?.accessType === 'VLAN_ID' || value?.accessType === 'VLAN_NAME')
    return [
      attribute('Tunnel-Type', 'VLAN'),
      attribute('Tunnel-Medium-Type', 'IEEE-802'),
      attribute('Tunnel-Private-Group-Id', value.accessValue),
    ];
  return value?.accessType === 'FILTER_ID' ? [attribute('Filter-Id', value.accessValue)] : [];
}

/** The default of the port is sent only to devices that ask for it. */
const isValueSent = ({ step, isUnresolved }: Decision, { device }: ConnectionFacts): boolean =>
  device.sendDefaultVlan || (step !== 9 && !isUnresolved);

/** What RADIUS answers; null: the connection is enforced by SNMP or CLI. */
export function radiusReply(decision: Decision, connection: ConnectionFacts): Reply | null {
  if (connection.type.endsWith('_SNMP')) return null;
  if (decision.outcome === 'DENY') return { code: 'Access-Reject', attributes: [] };
  const { sessionTimeoutSeconds: seconds } = decision;
  const isDecided = decision.outcome !== 'NOT_ENFORCED' && isValueSent(decision, connection);
  const timeout = [attribute('Session-Timeout', String(seconds)), attribute('Termination-Action', 'RADIUS-Request')];
  return {
    code: 'Access-Accept',
    attributes: [...(isDecided ? valueAttributes(decision) : []), ...(seconds === null ? [] : timeout)],
  };
}
