import { asUtc, dateAndSystemTime, operatingData, Refusal } from '@azimuth/model';
import type { FactsBefore } from '../scanners/each-scanner.js';
import type { NamedScanner } from '../scanners/legacy-connection.js';

const { DailyOpHours, PowerOnCnt, LastParaDate, LastParaTime } = operatingData.members;
const { LSPdatetime } = dateAndSystemTime.members;

const traced = [DailyOpHours, PowerOnCnt, LastParaDate, LastParaTime, LSPdatetime];

/** Reads what shows a reboot. What the scanner does not have is left out. */
export async function bootTraces(scanner: NamedScanner): Promise<FactsBefore> {
  const traces: Record<string, unknown> = {};
  for (const { name } of traced) {
    try {
      traces[name] = await scanner.readAny(name);
    } catch (error) {
      if (!scanner.lacks(error)) throw error;
    }
  }
  return traces;
}

/**
 * True if a scanner has certainly been rebooted since. No variable counts reboots, so this reads their traces: the
 * count of power-ons has changed, the hours since then or an unset clock have gone back. With `saves`, also the time
 * of the last save, since RebootDevice saves before.
 */
export function isRebootedSince(
  before: FactsBefore,
  now: FactsBefore,
  { saves }: { readonly saves: boolean },
): boolean {
  const differs = ({ name }: { readonly name: string }) =>
    before[name] !== undefined && now[name] !== undefined && before[name] !== now[name];
  if (differs(PowerOnCnt)) return true;
  if (saves && (differs(LastParaDate) || differs(LastParaTime))) return true;
  const [hoursBefore, hours] = [before[DailyOpHours.name], now[DailyOpHours.name]];
  if (typeof hoursBefore === 'number' && typeof hours === 'number' && hours < hoursBefore) return true;
  const [timeBefore, time] = [timeIn(before[LSPdatetime.name]), timeIn(now[LSPdatetime.name])];
  return timeBefore !== undefined && time !== undefined && time < timeBefore;
}

/** Returns the time of a device clock in ms; undefined if it is not of the type of the interface. */
function timeIn(value: unknown): number | undefined {
  try {
    return asUtc(LSPdatetime.type.fromJson(value, LSPdatetime.name));
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
