import { isObject } from '@azimuth/model';
import { Refused } from './asked.js';

const powers = ['on', 'off', 'cycle'] as const;

/** What the power of scanners is to do. */
export interface PowerAsked {
  /** A pattern. */
  readonly scanners: string;
  readonly power: (typeof powers)[number];
}

/** What `/fleet/power` is asked: `{"scanners": PATTERN, "power": "on" | "off" | "cycle"}`. @throws Refused */
export function powerAsked(body: string): PowerAsked {
  const { scanners, power } = objectIn(body);
  if (typeof scanners !== 'string')
    throw new Refused('scanners: expected a serial number or a pattern, as "*"');
  const known = powers.find((one) => one === power);
  if (known === undefined) throw new Refused('power: expected "on", "off" or "cycle"');
  return { scanners, power: known };
}

/** No scanner matches a pattern. */
export function noneMatches(pattern: string): Refused {
  return new Refused(`scanners: no scanner of this fleet matches "${pattern}"`);
}

function objectIn(body: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(body);
    if (isObject(json)) return json;
  } catch {
    // As any other body that is no object.
  }
  throw new Refused('expected a JSON object');
}
