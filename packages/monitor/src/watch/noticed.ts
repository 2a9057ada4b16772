import type { LogEntry } from '../log/log-entry.js';
import type { LastSeen } from '../state/last-parameters.js';
import { bootBetween } from './boots.js';

/** What happened between two looks, without what all entries of the scanner have. */
export type Noticed = WithoutCommon<LogEntry>;

type WithoutCommon<E> = E extends LogEntry ? Omit<E, 'at' | 'scanner' | 'serial'> : never;

/** The values of which a look notices changes. */
export type Compared = Pick<
  LastSeen,
  'firmware' | 'deviceStatus' | 'powerOnCount' | 'dailyHours' | 'lastSave'
>;

/** Differences between two looks. */
export interface Differences {
  readonly boot: string | undefined;
  /** True if parameters were saved. */
  readonly saved: boolean;
  readonly entries: readonly Noticed[];
}

/** Compares two looks at the same scanner. What one of them did not bring is not compared. */
export function differencesBetween(before: Compared, after: Compared): Differences {
  const boot = bootBetween(before, after);
  const { lastSave } = after;
  const saved = lastSave !== undefined && before.lastSave !== undefined && lastSave !== before.lastSave;
  return {
    boot,
    saved,
    entries: [
      ...(boot === undefined ? [] : [{ kind: 'happening', what: 'boot', text: boot } as const]),
      ...changeOf('Firmware', before.firmware, after.firmware),
      ...changeOf('DeviceStatus', before.deviceStatus, after.deviceStatus),
      ...(saved
        ? [
            {
              kind: 'happening',
              what: 'saved',
              text: `parameters were saved, ${lastSave} by its clock`,
            } as const,
          ]
        : []),
    ],
  };
}

function changeOf(name: string, before: unknown, after: unknown): readonly Noticed[] {
  if (before === undefined || after === undefined || before === after) return [];
  return [{ kind: 'value', name, before, after }];
}
