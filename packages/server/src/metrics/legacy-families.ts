import { loginLevels } from '@azimuth/model';
import { legacyErrorNames } from '@azimuth/telegrams/legacy';
import type { LegacyInterfaces } from '../legacy/legacy-interfaces.js';
import type { Family } from './family.js';

/** The metrics of the legacy interfaces. */
export type LegacyCounts = Pick<LegacyInterfaces, 'metrics' | 'access'>;

/** The metrics of the legacy interfaces. All are 0 until a client has connected. */
export function ofLegacy(legacy: LegacyCounts | undefined): readonly Family[] {
  return [
    {
      name: 'azimuth_legacy_sessions',
      help: 'Open sessions of the legacy interfaces.',
      type: 'gauge',
      samples: () => [{ value: legacy?.metrics.sessions ?? 0 }],
    },
    {
      name: 'azimuth_legacy_telegrams_total',
      help: 'Telegrams that the legacy interfaces received and sent.',
      type: 'counter',
      labels: ['direction'],
      samples: () =>
        (['in', 'out'] as const).map((direction) => ({
          labels: { direction },
          value: legacy?.metrics.telegrams.of(direction) ?? 0,
        })),
    },
    {
      name: 'azimuth_legacy_errors_total',
      help: 'Legacy requests that were answered with an error, by error.',
      type: 'counter',
      labels: ['error'],
      samples: () =>
        legacyErrorNames.map((error) => ({
          labels: { error },
          value: legacy?.metrics.errors.of(error) ?? 0,
        })),
    },
    {
      name: 'azimuth_legacy_foreign_sessions_total',
      help: 'Connections to the legacy interfaces that were closed because they began with HTTP or TLS.',
      type: 'counter',
      labels: ['protocol'],
      samples: () =>
        (['http', 'tls'] as const).map((protocol) => ({
          labels: { protocol },
          value: legacy?.metrics.foreign.of(protocol) ?? 0,
        })),
    },
    {
      name: 'azimuth_legacy_logins_total',
      help: 'Logins over the legacy interfaces, by user level and result.',
      type: 'counter',
      labels: ['user_level', 'result'],
      samples: () =>
        loginLevels.flatMap((level) =>
          (['succeeded', 'failed', 'disabled'] as const).map((result) => ({
            labels: { user_level: level, result },
            value: legacy?.access?.[result][level] ?? 0,
          })),
        ),
    },
    {
      name: 'azimuth_legacy_login_locks_total',
      help: 'How often failed logins have locked the legacy interfaces.',
      type: 'counter',
      samples: () => [{ value: legacy?.access?.lockout.locks ?? 0 }],
    },
    {
      name: 'azimuth_legacy_login_locked',
      help: '1 while logins over the legacy interfaces are locked.',
      type: 'gauge',
      samples: () => [{ value: legacy?.access?.lockout.locked === true ? 1 : 0 }],
    },
  ];
}
