import type { Endpoint } from '@azimuth/model';

/** What of a group is not built yet, in words; a group that is not named lacks nothing. */
const missing: Readonly<Record<string, string>> = {
  'Date and system time': 'synchronisation with a time server',
  'Contamination indication': 'the indication of contamination',
  'Legacy protocols': 'the legacy interfaces and the device search',
  'Inputs and outputs': 'the ports',
  'Measurement data output': 'the 3D recorder, and scan data as LMDscandata and as ROS 2 messages',
  'Field evaluation': 'field evaluation',
  'Perpendicular distance': 'field evaluation',
  'Detection history': 'field evaluation',
  'Backup/Restore': 'the system plug',
};

/** What is missing behind an endpoint that nothing stands behind. */
export function missingBehind({ group }: Pick<Endpoint, 'group'>): string {
  return missing[group] ?? 'its behaviour';
}
