import { type ScannerSnapshot, unseen } from '../src/state/scanner-snapshot.js';

/** The state of a scanner that works, and what is different about it. */
export function snapshotOf(different: Partial<ScannerSnapshot> = {}): ScannerSnapshot {
  return {
    ...unseen({ name: 'hall/gate3', url: 'http://192.168.0.3', expectedSerial: undefined }),
    ...{ serial: '23450001', firmware: '2.4.4.0R', release: '2.4.4' },
    ...{ reachable: true, answeredAt: 0, lookSeconds: 0.1, clockOffset: 0, uptime: 60 },
    values: new Map<string, unknown>([
      ['DeviceStatus', 3],
      ['CurrentTempDev', 31.4],
      ['LocationName', 'Gate 3'],
      ['ContaminationData', [1, 1, 2, 1, 1, 1, 0]],
    ]),
    ...different,
  };
}
