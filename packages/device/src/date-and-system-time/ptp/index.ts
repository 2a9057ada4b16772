import type { PortIdentity } from '@azimuth/telegrams/ptp';

export { PtpSlave } from './ptp-slave.js';

/**
 * The PTP port of a scanner. The clock identity is an EUI-64 of its MAC address, with ff fe in the middle.
 * @param macAddress six bytes
 */
export function portIdentityOf(macAddress: readonly number[]): PortIdentity {
  const bytes = [...macAddress.slice(0, 3), 0xff, 0xfe, ...macAddress.slice(3)];
  return { clock: bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(''), port: 1 };
}
