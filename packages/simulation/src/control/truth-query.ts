import type { Device } from '@azimuth/device';
import { ControlRefused, type DescribedQuery } from '@azimuth/device/control';
import type { ScanMoment, ScanTruth, TrueBeam, TrueSurface } from '../world/index.js';
import { sceneCoreOf } from './scene-commands.js';

/** Selects a scan; the newest by default. */
export interface ScanSelection {
  /** Its number, as in telegrams. */
  readonly scan?: number | undefined;
  /** A time during the scan: µs, as in telegrams. */
  readonly time?: number | undefined;
  /**
   * True: only the beams that the telegrams of the scan carry, with the present angle range and increment of beams. With a
   * moving average, the number is that of its telegrams, and distances are the mean of the truths of its scans.
   */
  readonly output?: boolean | undefined;
}

/** Returns what the beams of a scan met. Times are µs as in telegrams. @throws ControlRefused */
export async function scanTruth(device: Device, selection: ScanSelection = {}): Promise<ScanTruth> {
  const { scan, time, output = false, ...other } = selection;
  checkQueryNames([
    ...(scan === undefined ? [] : ['scan']),
    ...(time === undefined ? [] : ['time']),
    ...Object.keys(other),
  ]);
  const { measuring, telegramTime } = device.features;
  const core = await sceneCoreOf(measuring);
  const shift = (at: number) => telegramTime.offsetAt(at);
  const booted = core.world.secondsAt(measuring.bootedAt);
  const { beams: carried, scans = 1 } = output ? (measuring.carried ?? {}) : {};
  const truth = core.truth(({ number, time: begin, worldTime, geometry }: ScanMoment) => {
    if (scan !== undefined) return number === scan + scans - 1;
    // Times of telegrams begin again at a boot.
    if (worldTime < booted) return time === undefined;
    return time === undefined || isDuring(time - shift(begin) - begin, 1_000_000 / geometry.frequency);
  });
  if (truth === undefined) {
    throw new ControlRefused(
      scan === undefined && time === undefined
        ? 'no scan is known: the scanner measures only while something uses its scans, for example a data stream'
        : 'this scan is not known: the last 256 scans are, since the scene or the profile changed',
    );
  }
  const before = Array.from({ length: scans - 1 }, (_, at) =>
    core.truth(({ number }) => number === truth.scan - 1 - at),
  );
  const all = [truth, ...before.filter((one) => one !== undefined)];
  const ahead = truth.worldTime < booted ? 0 : shift(truth.time);
  const beams = (carried ?? truth.beams.map((_, beam) => beam)).flatMap((beam) => {
    const own = truth.beams[beam];
    if (own === undefined) return [];
    return [{ ...own, time: own.time + ahead, surface: meanOf(all.map((one) => one.beams[beam])) }];
  });
  return { ...truth, scan: truth.scan - (scans - 1), time: truth.time + ahead, beams };
}

/** Returns the newest surface at the mean distance of all; null if there is none. @param beams the newest first */
function meanOf(beams: readonly (TrueBeam | undefined)[]): TrueSurface | null {
  const surfaces = beams.flatMap((beam) => beam?.surface ?? []);
  const [newest] = surfaces;
  if (newest === undefined) return null;
  const sum = surfaces.reduce((total, { distance }) => total + distance, 0);
  return { ...newest, distance: sum / surfaces.length };
}

function isDuring(time: number, length: number): boolean {
  return time >= 0 && time < length;
}

const number = { type: 'number' };
const time = { type: 'integer', description: 'µs, as in telegrams' };
const surface = {
  type: 'object',
  properties: {
    distance: { ...number, description: 'mm, exact' },
    object: { type: 'string', description: 'its path in the scene file' },
    actor: { type: 'string', description: 'the name of its actor or vehicle' },
    material: { type: 'string' },
  },
  required: ['distance', 'object', 'material'],
};
const beam = {
  type: 'object',
  properties: {
    angle: { ...number, description: 'degrees, counter-clockwise, 0 straight ahead' },
    time,
    pose: {
      type: 'object',
      description: 'of the scanner at the time of the beam: m, and degrees',
      properties: { x: number, y: number, heading: number },
      required: ['x', 'y', 'heading'],
    },
    surface: { oneOf: [surface, { type: 'null' }] },
    glass: { type: 'array', items: surface },
    fog: { type: 'boolean' },
  },
  required: ['angle', 'time', 'pose', 'surface', 'glass', 'fog'],
};

/** Returns the query for what the beams of a scan met. */
export function truthQuery(device: Device): DescribedQuery {
  return {
    text: 'What the beams of a scan met, before noise and filters: by default the newest scan. The parameters "scan" and "time" exclude each other.',
    parameters: {
      scan: { type: 'integer', minimum: 0, description: 'number of the scan, as in telegrams' },
      time: { ...time, minimum: 0, description: 'a time during the scan: µs, as in telegrams' },
      output: {
        type: 'boolean',
        default: false,
        description:
          'true: only the beams that the telegrams of the scan carry, with the present angle range and increment of beams; with a moving average, the mean of the truths of its scans',
      },
    },
    response: {
      type: 'object',
      properties: {
        scan: { type: 'integer' },
        time,
        worldTime: { ...number, description: 's of the world' },
        beams: { type: 'array', items: beam },
      },
      required: ['scan', 'time', 'worldTime', 'beams'],
    },
    ask: async (query) => scanTruth(device, scanSelectionOf(query)),
  };
}

/** Reads the selection of a query: `?scan=12` or `?time=800000`, and `output=true`. @throws ControlRefused */
function scanSelectionOf(query: ReadonlyMap<string, string>): ScanSelection {
  const { output, ...numbers } = Object.fromEntries(query);
  checkQueryNames(Object.keys(numbers));
  if (output !== undefined && output !== 'true' && output !== 'false')
    throw new ControlRefused('"output" must be true or false');
  const [name, text] = Object.entries(numbers)[0] ?? [];
  if (name === undefined || text === undefined) return { output: output === 'true' };
  if (!/^\d{1,16}$/.test(text)) throw new ControlRefused(`"${name}" must be a whole number`);
  return { [name]: Number(text), output: output === 'true' };
}

/** @throws ControlRefused for members that a query does not have, or for both at once */
function checkQueryNames(names: readonly string[]): void {
  for (const name of names) {
    if (name !== 'scan' && name !== 'time')
      throw new ControlRefused(`truth takes "scan", "time" or "output", not "${name}"`);
  }
  if (names.length > 1) throw new ControlRefused('truth takes "scan" or "time", not both');
}
