import { rounded } from './telegram-bytes.js';

/** One beam of a scan, from any format. */
export interface Beam {
  /** Degrees; undefined if it was not sent. */
  readonly azimuth: number | undefined;
  /** mm, for each place of an echo; 0 where there is none. */
  readonly distance: readonly number[];
  /** Signal strengths; undefined if they were not sent. */
  readonly rssi: readonly number[] | undefined;
  /** Undefined if properties were not sent. */
  readonly isReflector: boolean | undefined;
  /** Bits that no format defines. */
  readonly unknownBits: number;
}

/** A region in which echoes are counted, with its limits. */
export interface Region {
  /** Degrees. */
  readonly azimuth?: readonly [number, number];
  /** mm from the scanner. */
  readonly distance?: readonly [number, number];
  /** mm, x ahead and y to the left. */
  readonly x?: readonly [number, number];
  readonly y?: readonly [number, number];
}

/** The strength that marks a reflector, and the one that is reserved: 254 and 255 of 255, in both bytes. */
const reflectorStrength = 0xfefe;
const reservedStrength = 0xffff;

/** What can be said of beams without knowing what they hit: numbers for steps to compare. */
export interface BeamFacts {
  readonly echoesSeen: number;
  readonly beamsWithEcho: number;
  readonly beamsWithSeveral: number;
  /** Mean of the distances in mm; undefined without an echo. */
  readonly mean: number | undefined;
  /** mm; undefined without an echo. */
  readonly nearest: number | undefined;
  readonly furthest: number | undefined;
  /** Beams with an echo behind an empty place, and beams whose echoes do not come nearest first. */
  readonly gaps: number;
  readonly unordered: number;
  /** Echoes without a strength, and strengths without an echo. */
  readonly echoesWithoutStrength: number;
  readonly strengthsWithoutEcho: number;
  /** Strengths whose two bytes differ, and strengths of the reserved value. */
  readonly unevenStrengths: number;
  readonly reservedStrengths: number;
  /** Beams with a reflector by strength and not by properties, and the reverse. */
  readonly reflectorsByStrengthOnly: number;
  readonly reflectorsByPropertyOnly: number;
  /** Bits of properties that no format defines, in any beam. */
  readonly unknownBits: number;
  /** Beams with properties and without an echo. */
  readonly propertiesWithoutEcho: number;
  /** Echoes inside and outside of the region of the step. */
  readonly inside: number;
  readonly outside: number;
}

/** Counts over beams. */
export function factsOf(beams: readonly Beam[], region: Region | undefined): BeamFacts {
  const echoes = beams.flatMap((beam) => beam.distance.filter((distance) => distance > 0));
  const inside = region === undefined ? 0 : sum(beams, (beam) => echoesIn(region, beam));
  return {
    echoesSeen: echoes.length,
    beamsWithEcho: count(beams, hasEcho),
    beamsWithSeveral: count(beams, ({ distance }) => distance.filter((d) => d > 0).length > 1),
    mean:
      echoes.length === 0
        ? undefined
        : rounded(echoes.reduce((one, other) => one + other) / echoes.length, 1),
    nearest: echoes.length === 0 ? undefined : rounded(echoes.reduce(least), 1),
    furthest: echoes.length === 0 ? undefined : rounded(echoes.reduce(most), 1),
    gaps: count(beams, ({ distance }) => distance.some((d, place) => d > 0 && distance[place - 1] === 0)),
    unordered: count(beams, ({ distance }) =>
      distance.some((d, place) => d > 0 && d < (distance[place - 1] ?? 0)),
    ),
    echoesWithoutStrength: countPlaces(beams, (distance, rssi) => distance > 0 && rssi === 0),
    strengthsWithoutEcho: countPlaces(beams, (distance, rssi) => distance === 0 && rssi > 0),
    unevenStrengths: countPlaces(beams, (_, rssi) => rssi % 257 !== 0),
    reservedStrengths: countPlaces(beams, (_, rssi) => rssi === reservedStrength),
    reflectorsByStrengthOnly: count(beams, (beam) => beam.isReflector === false && isStrong(beam)),
    reflectorsByPropertyOnly: count(
      beams,
      (beam) => beam.isReflector === true && beam.rssi !== undefined && !isStrong(beam),
    ),
    unknownBits: beams.reduce((bits, beam) => bits | beam.unknownBits, 0),
    propertiesWithoutEcho: count(beams, (beam) => beam.isReflector === true && !hasEcho(beam)),
    inside,
    outside: region === undefined ? 0 : echoes.length - inside,
  };
}

/**
 * Largest difference in degrees between the azimuths of beams and even steps from the first to the last of them; undefined if
 * azimuths were not sent.
 */
export function unevenness(beams: readonly Beam[], first: number, last: number): number | undefined {
  const step = beams.length < 2 ? 0 : (last - first) / (beams.length - 1);
  let largest: number | undefined;
  for (const [index, { azimuth }] of beams.entries()) {
    if (azimuth === undefined) return undefined;
    largest = Math.max(largest ?? 0, Math.abs(azimuth - (first + step * index)));
  }
  return largest === undefined ? undefined : rounded(largest, 4);
}

function hasEcho({ distance }: Beam): boolean {
  return distance.some((d) => d > 0);
}

function isStrong({ rssi = [] }: Beam): boolean {
  return rssi.includes(reflectorStrength);
}

function echoesIn({ azimuth, distance, x, y }: Region, beam: Beam): number {
  const angle = ((beam.azimuth ?? Number.NaN) * Math.PI) / 180;
  return beam.distance.filter(
    (d) =>
      d > 0 &&
      isIn(azimuth, beam.azimuth ?? Number.NaN) &&
      isIn(distance, d) &&
      isIn(x, d * Math.cos(angle)) &&
      isIn(y, d * Math.sin(angle)),
  ).length;
}

function isIn(range: readonly [number, number] | undefined, value: number): boolean {
  return range === undefined || (value >= range[0] && value <= range[1]);
}

function count(beams: readonly Beam[], isCounted: (beam: Beam) => boolean): number {
  return sum(beams, (beam) => (isCounted(beam) ? 1 : 0));
}

/** Counts places of echoes whose strength was sent. */
function countPlaces(beams: readonly Beam[], isCounted: (distance: number, rssi: number) => boolean): number {
  return sum(
    beams,
    ({ distance, rssi }) =>
      rssi?.filter((strength, place) => isCounted(distance[place] ?? 0, strength)).length ?? 0,
  );
}

function sum(beams: readonly Beam[], of: (beam: Beam) => number): number {
  return beams.reduce((total, beam) => total + of(beam), 0);
}

function least(one: number, other: number): number {
  return Math.min(one, other);
}

function most(one: number, other: number): number {
  return Math.max(one, other);
}
