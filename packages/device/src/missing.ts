import type { Endpoint } from '@azimuth/model';

/** What of a group is not built yet, in words; a group that is not named lacks nothing. */
const missing: Readonly<Record<string, string>> = {
  'Basic settings': 'measuring',
  'Date and system time': 'synchronisation with a time server',
  Filter: 'measuring',
  'Mounting position': 'measuring',
  'Contamination indication': 'measuring',
  'Legacy protocols': 'the legacy interfaces and the device search',
  'Inputs and outputs': 'the ports',
  'Measurement data output': 'measuring and data streams',
  'IMU data output': 'measuring and data streams',
  'Data reduction': 'measuring',
  'Region of interest': 'measuring',
  'Field evaluation': 'field evaluation',
  'Perpendicular distance': 'field evaluation',
  'Detection history': 'field evaluation',
  'Backup/Restore': 'the system plug',
};

/** What is missing behind an endpoint that nothing stands behind. */
export function missingBehind({ group }: Pick<Endpoint, 'group'>): string {
  return missing[group] ?? 'its behaviour';
}
