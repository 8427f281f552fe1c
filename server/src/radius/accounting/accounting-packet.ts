import type { DisconnectReason } from '../../logging/connection-log/connection-log.service.ts';
import type { AccountingReport } from '../../protocols/radius/accounting.ts';

/** A verified accounting packet about one session. */
export interface SessionPacket {
  kind: 'START' | 'INTERIM' | 'STOP';
  mac: string;
  deviceID: number;
  portID: number;
  /** The packet names no port that the device is known to have. */
  isPortUnknown: boolean;
  /** Since the event: Acct-Delay-Time, and the time in the queue of this node. */
  delaySeconds: number;
  report: AccountingReport;
}

/** Names of the RADIUS dictionary for Acct-Terminate-Cause (RFC 2866 section 5.10, RFC 3580 section 3.2). */
const reasons: Readonly<Record<number, DisconnectReason>> = {
  1: 'USER', // User-Request
  2: 'LINK_DOWN', // Lost-Carrier
  3: 'LINK_DOWN', // Lost-Service
  4: 'SESSION_TIMEOUT', // Idle-Timeout
  5: 'SESSION_TIMEOUT', // Session-Timeout
  6: 'ADMIN', // Admin-Reset
  7: 'NAS_REBOOT', // Admin-Reboot
  8: 'LINK_DOWN', // Port-Error
  9: 'LOST', // NAS-Error
  10: 'POLICY', // NAS-Request
  11: 'NAS_REBOOT', // NAS-Reboot
  12: 'LINK_DOWN', // Port-Unneeded
  13: 'LINK_DOWN', // Port-Preempted
  14: 'LINK_DOWN', // Port-Suspended
  15: 'LOST', // Service-Unavailable
  16: 'USER', // Callback
  17: 'USER', // User-Error
  18: 'USER', // Host-Request
  19: 'USER', // Supplicant-Restart
  20: 'POLICY', // Reauthentication-Failure
  21: 'LINK_DOWN', // Port-Reinitialized
  22: 'ADMIN', // Port-Administratively-Disabled
};

/** Without a cause that the standards define, the session ended as sessions usually do. */
export const reasonOf = (terminateCause: number | null): DisconnectReason => reasons[terminateCause ?? 0] ?? 'USER';
