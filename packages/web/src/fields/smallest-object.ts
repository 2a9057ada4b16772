import { type Evaluation, isObject, performanceProfiles } from '@azimuth/model';

/** A point of a curve. */
export interface CurvePoint {
  readonly x: number;
  readonly y: number;
}

/** Angle between two beams in degrees, by the performance profile; undefined if the profile is not known. */
export function degreesBetweenBeams(profile: unknown): number | undefined {
  const profiles: unknown = performanceProfiles;
  const facts = isObject(profiles) && typeof profile === 'number' ? profiles[String(profile)] : undefined;
  return isObject(facts) && typeof facts.resolution === 'number' ? facts.resolution / 10_000 : undefined;
}

/** Distance of the furthest corner of a field from the scanner, in m. */
export function reachOfField({ Points }: Pick<Evaluation, 'Points'>): number {
  return Math.max(0, ...Points.map(({ x, y }) => Math.hypot(x, y))) / 1000;
}

/**
 * The size of the smallest object that infringes a field, in mm, over its distance in m. Near the scanner it is the minimum
 * that is set. Further away it grows, since so many beams have to hit the object.
 * @param reach m
 * @param degrees between two beams
 */
export function smallestObjects(
  {
    MinimumObjectSize,
    InfringementThreshold,
  }: Pick<Evaluation, 'MinimumObjectSize' | 'InfringementThreshold'>,
  reach: number,
  degrees: number,
): readonly CurvePoint[] {
  const perMetre = InfringementThreshold * 1000 * ((degrees * Math.PI) / 180);
  const bend = MinimumObjectSize / perMetre;
  if (bend >= reach) return [0, reach].map((x) => ({ x, y: MinimumObjectSize }));
  return [
    { x: 0, y: MinimumObjectSize },
    ...(bend > 0 ? [{ x: bend, y: MinimumObjectSize }] : []),
    { x: reach, y: perMetre * reach },
  ];
}
