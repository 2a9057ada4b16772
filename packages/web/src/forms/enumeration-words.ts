import { ianaZones, PerformanceProfile, performanceProfiles, TimeZone } from '@azimuth/model';
import { spokenValues } from './spoken-name.js';

type Values = Readonly<Record<string, number>>;

/** Enumerations whose names do not say what a value means. */
const described: ReadonlyMap<Values, ReadonlyMap<number, string>> = new Map<
  Values,
  ReadonlyMap<number, string>
>([
  [PerformanceProfile, describedProfiles()],
  [
    TimeZone,
    new Map(Object.entries(ianaZones).map(([value, zone]) => [Number(value), zone.replaceAll('_', ' ')])),
  ],
]);

const spoken = new WeakMap<Values, ReadonlyMap<number, string>>();

/** What a person reads for each number of an enumeration. */
export function enumerationWords(values: Values): ReadonlyMap<number, string> {
  const known = described.get(values) ?? spoken.get(values);
  if (known !== undefined) return known;
  const words = spokenValues(values);
  spoken.set(values, words);
  return words;
}

function describedProfiles(): ReadonlyMap<number, string> {
  return new Map(
    Object.entries(performanceProfiles).map(([number, { frequency, resolution }]) => [
      Number(number),
      `${number}: ${frequency / 100} Hz, ${resolution / 10_000}°`,
    ]),
  );
}
