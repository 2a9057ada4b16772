import {
  basicSettings,
  device,
  isObject,
  LampId,
  LEDColor,
  LEDFunction,
  lifeHours,
  operatingData,
  type SectorState,
} from '@azimuth/model';
import { type KnownValues, knownValue } from '../connection/declarations.js';
import { spokenByScanner } from '../parts/texts.js';

/** The state of a sector, in words. */
export const sectorWords: Readonly<Record<SectorState, string>> = {
  unwatched: 'not watched',
  blocked: 'blocked',
  clean: 'clean',
  warning: 'dirty',
  error: 'very dirty',
};

/** The numbers of the sectors that are in one of these states, from 1 on. */
export function sectorsThatAre(
  sectors: readonly SectorState[],
  ...states: readonly SectorState[]
): readonly number[] {
  return sectors.flatMap((state, index) => (states.includes(state) ? [index + 1] : []));
}

/** `Sector 4`, `Sectors 4, 5 and 9`; empty for none. */
export function sectorsText(numbers: readonly number[]): string {
  const last = numbers.at(-1);
  if (last === undefined) return '';
  if (numbers.length === 1) return `Sector ${last}`;
  return `Sectors ${numbers.slice(0, -1).join(', ')} and ${last}`;
}

/** The state of the whole front screen, in one line. */
export function screenText(sectors: readonly SectorState[]): string {
  if (sectors.every((state) => state === 'unwatched')) return 'Nothing watches the front screen for dirt.';
  const parts = (['blocked', 'error', 'warning'] as const).flatMap((state) => {
    const numbers = sectorsThatAre(sectors, state);
    return numbers.length === 0 ? [] : [`${sectorsText(numbers)}: ${sectorWords[state]}.`];
  });
  return parts.length > 0 ? parts.join(' ') : 'The front screen is clean.';
}

/** A lamp of a scanner, as LEDState has it. */
export interface Lamp {
  readonly Color: number;
  readonly Function: number;
  readonly Id: string;
}

const colours: Readonly<Record<number, string>> = {
  [LEDColor.GREEN]: 'green',
  [LEDColor.YELLOW]: 'yellow',
  [LEDColor.RED]: 'red',
  [LEDColor.WHITE]: 'white',
};

/** The name of the colour of a lamp, in words and in styles. */
export function lampColour({ Color }: Lamp): string {
  return colours[Color] ?? 'white';
}

/** The light of a lamp: `off`, `on`, or one of the ways to blink. */
export function lampLight({ Function: way }: Lamp): 'off' | 'on' | 'blinking' | 'fast' {
  if (way === LEDFunction.OFF) return 'off';
  if (way === LEDFunction.ON) return 'on';
  return way === LEDFunction.BLINKING_FAST ? 'fast' : 'blinking';
}

const lights = { off: 'off', on: 'on', blinking: 'blinking', fast: 'blinking fast' } as const;

/** `green, blinking`; `off` for a lamp that is off. */
export function lampText(lamp: Lamp): string {
  const light = lampLight(lamp);
  return light === 'off' ? 'off' : `${lampColour(lamp)}, ${lights[light]}`;
}

/** The purpose of a lamp, by its name in the scanner. */
export function lampPurpose(id: string): string {
  switch (id.trim()) {
    case LampId.STATE:
      return 'State';
    case LampId.FIND:
      return 'Find me';
    default:
      return id.trim() === '' ? 'Other' : id.trim();
  }
}

/** A time for a person: `12 min`, `5.3 h`, `41 days 7 h`. @param hours */
export function dayAndHours(hours: number): string {
  if (hours < 1) return `${Math.floor(hours * 60)} min`;
  if (hours < 48) return `${hours.toFixed(1)} h`;
  const wholeHours = Math.floor(hours);
  const days = Math.floor(wholeHours / 24);
  return `${days} days ${wholeHours - 24 * days} h`;
}

const { DeviceIdent, LocationName, OrderNumber, SerialNumber } = device.members;
const { ScanConfig } = basicSettings.members;
const { DailyOpHours, LastParaDate, LastParaTime, OpHours, PowerOnCnt } = operatingData.members;

/** A fact in words; undefined if it is not known. */
export type WordedFact = readonly [name: string, text: string | undefined];

/**
 * Words about the scans, from ScanConfig. A product of its own can have other frequencies and resolutions than the types
 * of the interface allow.
 */
export function scanFacts(known: KnownValues): readonly WordedFact[] {
  const config = known.value(ScanConfig.name);
  if (!isObject(config) || typeof config.udiScanFreq !== 'number') return [];
  const ranges = isObject(config.ScanRange) ? config.ScanRange.aRange : undefined;
  const range: unknown = Array.isArray(ranges) ? ranges[0] : undefined;
  const angle = (name: string) => {
    const value = isObject(range) ? range[name] : undefined;
    return typeof value === 'number' ? angleText(value) : undefined;
  };
  const [from, to] = [angle('diStartAngle'), angle('diStopAngle')];
  return [
    ['Scans', `${config.udiScanFreq / 100} a second`],
    ['Resolution', angle('udiAngleRes')],
    ['Field of view', from === undefined || to === undefined ? undefined : `${from} to ${to}`],
  ];
}

/** @param angle 1/10000° */
function angleText(angle: number): string {
  return `${String(angle / 10_000).replace('-', '−')}°`;
}

/** Names the scanner: type, release and serial number. */
export function identityFacts(known: KnownValues): readonly WordedFact[] {
  const ident = knownValue(known, DeviceIdent);
  return [
    ['Name', knownValue(known, LocationName)],
    ['Device', ident?.Name],
    ['Firmware', ident?.Version],
    ['Serial number', knownValue(known, SerialNumber)?.toString()],
    ['Order number', knownValue(known, OrderNumber)?.toString()],
  ];
}

/** Operating time of the scanner, and the time of its last save. */
export function operationFacts(known: KnownValues): readonly WordedFact[] {
  const today = knownValue(known, DailyOpHours);
  const life = knownValue(known, OpHours);
  const date = knownValue(known, LastParaDate);
  const saved =
    date && /\d/.test(date) ? spokenByScanner(date, knownValue(known, LastParaTime) ?? '') : 'never';
  return [
    ['Power on for', today === undefined ? undefined : dayAndHours(today)],
    ['In its life', life === undefined ? undefined : dayAndHours(lifeHours(life, today))],
    ['Power-ons', knownValue(known, PowerOnCnt)?.toString()],
    ['Saved last', date === undefined ? undefined : saved],
  ];
}
