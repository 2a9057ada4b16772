import { basicSettings, type KnownInterface, PerformanceProfile, performanceProfiles } from '@azimuth/model';

const { PerformanceProfileNumber } = basicSettings.members;

type Values = Readonly<Record<string, number>>;
type Words = ReadonlyMap<number, string>;

/** Words for each performance profile, by the enumeration of the numbers. */
const profiles = new WeakMap<Values, Words>([
  [
    PerformanceProfile,
    new Map(
      Object.entries(performanceProfiles).map(([number, { frequency, resolution }]) => [
        Number(number),
        profileText(number, `${frequency / 100}`, `${resolution / 10_000}`),
      ]),
    ),
  ],
]);

/** Returns a word for each profile, if these are the numbers of profiles. */
export function profileWords(values: Values): Words | undefined {
  return profiles.get(values);
}

/**
 * Takes over what a scanner says about its own performance profiles, so that they are shown as those of the built-in
 * product.
 */
export function learnProfiles(known: KnownInterface): void {
  const variable = known.variable(PerformanceProfileNumber.name);
  const rows = variable?.facts.values?.rows;
  const shape = variable?.type.shape;
  if (rows === undefined || shape?.kind !== 'enumeration' || profiles.has(shape.values)) return;
  const told = new Map(rows.map(([number = '', ...facts]) => [number, facts]));
  profiles.set(
    shape.values,
    new Map(
      Object.entries(shape.values).map(([name, number]) => {
        const [frequency, resolution] = told.get(String(number)) ?? [];
        const isTold = frequency !== undefined && resolution !== undefined;
        return [number, isTold ? profileText(String(number), frequency, resolution) : name];
      }),
    ),
  );
}

/** @param frequency Hz @param resolution degrees, also as a fraction */
function profileText(number: string, frequency: string, resolution: string): string {
  return `${number}: ${frequency} Hz, ${resolution}°`;
}
