import type { Endpoint } from '@azimuth/model';

/** What of a group is not built yet, in words; a group that is not named lacks nothing. */
const missing: Readonly<Record<string, string>> = {
  'Measurement data output': 'native ROS 2',
  'Backup/Restore': 'the system plug',
};

/** What is missing behind an endpoint that nothing stands behind. */
export function missingBehind({ group }: Pick<Endpoint, 'group'>): string {
  return missing[group] ?? 'its behaviour';
}
