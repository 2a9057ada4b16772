import { ControlRefused, type Device, type Measuring } from '@azimuth/device';
import type { ScanTruth } from '../scene/index.js';
import { sceneCoreOf } from './scene-commands.js';

/** Which scan is meant: the newest by default. */
export interface WhichScan {
  /** Its number, as in telegrams. */
  readonly scan?: number;
  /** A time in it: µs, as in telegrams. */
  readonly time?: number;
}

/** What is known of a scan. Times are µs as in telegrams. */
export async function scanTruth(
  { measuring, telegramTime }: Pick<Device, 'telegramTime'> & { readonly measuring: Measuring },
  which: WhichScan = {},
): Promise<ScanTruth> {
  const { scan, time, ...other } = which;
  checkAsked([
    ...(scan === undefined ? [] : ['scan']),
    ...(time === undefined ? [] : ['time']),
    ...Object.keys(other),
  ]);
  const core = await sceneCoreOf(measuring);
  const shift = (at: number) => telegramTime.offsetAt(at);
  const truth = core.truth(({ number, time: begin, geometry }) => {
    if (scan !== undefined) return number === scan;
    return time === undefined || isWithin(time - shift(begin) - begin, 1_000_000 / geometry.frequency);
  });
  if (truth === undefined) {
    throw new ControlRefused(
      scan === undefined && time === undefined
        ? 'no scan is known: the scanner measures only while something uses its scans, for example a data stream'
        : 'this scan is not known: the last 256 scans are, since the scene or the profile changed',
    );
  }
  const ahead = shift(truth.time);
  const beams = truth.beams.map((beam) => ({ ...beam, time: beam.time + ahead }));
  return { scan: truth.scan, time: truth.time + ahead, beams };
}

function isWithin(time: number, length: number): boolean {
  return time >= 0 && time < length;
}

/** The scan that a query means: `?scan=12` or `?time=800000`. @throws ControlRefused */
export function whichScan(asked: ReadonlyMap<string, string>): WhichScan {
  checkAsked([...asked.keys()]);
  const [name, text] = [...asked][0] ?? [];
  if (name === undefined || text === undefined) return {};
  if (!/^\d{1,16}$/.test(text)) throw new ControlRefused(`"${name}" must be a whole number`);
  return { [name]: Number(text) };
}

/** @throws ControlRefused for members that a query does not have, or for both at once */
function checkAsked(names: readonly string[]): void {
  for (const name of names) {
    if (name !== 'scan' && name !== 'time')
      throw new ControlRefused(`truth takes "scan" or "time", not "${name}"`);
  }
  if (names.length > 1) throw new ControlRefused('truth takes "scan" or "time", not both');
}
