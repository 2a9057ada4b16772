import { isObject } from '@azimuth/model';
import type { PlanPoint } from '../plan/plan.js';
import type { Place } from './place.js';

/**
 * The state of the simulation, as far as the page shows it. A value that the control port does not send is undefined.
 */
export interface SimulationOverview {
  readonly scene: string | undefined;
  readonly temperature: number | undefined;
  readonly temperatureIsSet: boolean;
  /** The share of light that is blocked, by sector. */
  readonly contamination: readonly number[];
  /** Signals from outside by port: `driven` if the signal is high. */
  readonly ports: readonly { readonly port: number; readonly type: string; readonly driven: boolean }[];
  /** mm/s. */
  readonly encoderSpeed: number | undefined;
  /** True if the speed is set; else the vehicle in the scene turns the encoder. */
  readonly encoderIsSet: boolean;
  /** s since the scanner was switched on. */
  readonly uptime: number | undefined;
}

export function overviewIn(overview: Readonly<Record<string, unknown>>): SimulationOverview {
  const { scene, temperature, temperatureIsSet, contamination, ports, encoder, clock } = overview;
  return {
    scene: isObject(scene) ? String(scene.name) : undefined,
    temperature: numberIn(temperature),
    temperatureIsSet: temperatureIsSet === true,
    contamination: listIn(contamination).filter((share) => typeof share === 'number'),
    ports: objectsIn(ports).map(({ port, type, driven }) => ({
      port: Number(port),
      type: String(type),
      driven: driven === true,
    })),
    encoderSpeed: isObject(encoder) ? numberIn(encoder.speed) : undefined,
    encoderIsSet: isObject(encoder) && encoder.isSet === true,
    uptime: isObject(clock) ? numberIn(clock.uptime) : undefined,
  };
}

/** Positions of the scanner, and of actors and vehicles by their names. */
export interface Places {
  readonly scanner: Place;
  readonly actors: ReadonlyMap<string, Place>;
  readonly vehicles: ReadonlyMap<string, Place>;
}

export function placesIn(json: Readonly<Record<string, unknown>>): Places {
  const byName = (list: unknown) => new Map(objectsIn(list).map((one) => [String(one.name), placeIn(one)]));
  return { scanner: placeIn(json.scanner), actors: byName(json.actors), vehicles: byName(json.vehicles) };
}

/** A scene that comes with the scanner. */
export interface ReadyScene {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

export function readyScenesIn({ scenes }: Readonly<Record<string, unknown>>): ReadyScene[] {
  return objectsIn(scenes).map(({ name, title, description }) => ({
    name: String(name),
    title: String(title),
    description: String(description),
  }));
}

function placeIn(value: unknown): Place {
  const { x, y, heading } = isObject(value) ? value : {};
  return { x: zeroOr(x), y: zeroOr(y), heading: zeroOr(heading) };
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A line through points in m; closed if its end is joined to its begin. */
export interface Outline {
  readonly points: readonly PlanPoint[];
  readonly closed: boolean;
  /** Fog is drawn as an area. */
  readonly kind: 'solid' | 'fog';
}

/** An actor of a scene, around its own origin. */
export interface ActorOutlines {
  readonly name: string;
  readonly outlines: readonly Outline[];
}

const cornersOfCircle = 24;

/**
 * Returns the outlines of the bodies of a scene file that do not move, from a response of the control port. Unknown
 * bodies are left out.
 */
export function outlinesOf(bodies: Readonly<Record<string, unknown>>): Outline[] {
  const of = (name: string) => objectsIn(bodies[name]);
  return [
    ...of('walls').map(({ from, to }) => line(pointsIn([from, to]), false)),
    ...of('polylines').map(({ points }) => line(pointsIn(points), false)),
    ...of('polygons').map(({ points }) => line(pointsIn(points), true)),
    ...of('boxes').map(box),
    ...of('circles').map(({ center, radius }) => circle(center, radius)),
    ...of('fog').map(({ points, center, radius }): Outline => {
      const area = points === undefined ? circle(center, radius) : line(pointsIn(points), true);
      return { ...area, kind: 'fog' };
    }),
  ].filter(({ points }) => points.length > 1);
}

/** Returns the actors of a scene file. A person who walks is drawn as two legs beside each other. */
export function actorsOf(scene: Readonly<Record<string, unknown>>): ActorOutlines[] {
  return objectsIn(scene.actors).map((actor) => ({
    name: String(actor.name),
    outlines: [...outlinesOf(actor), ...legsOf(actor.legs)],
  }));
}

/** Returns the vehicles of a scene file, with the scanners on them. */
export function vehiclesOf(scene: Readonly<Record<string, unknown>>): ActorOutlines[] {
  return objectsIn(scene.vehicles).map((vehicle) => ({
    name: String(vehicle.name),
    outlines: [...outlinesOf(vehicle), ...housingsOf(vehicle)],
  }));
}

/** Returns the housings of the scanners of a scene file or a vehicle. */
export function housingsOf({ scanners }: Readonly<Record<string, unknown>>): Outline[] {
  return objectsIn(scanners).flatMap(({ x, y, heading, housing }) =>
    isObject(housing) ? [box({ center: [x, y], size: housing.size, heading })] : [],
  );
}

function legsOf(legs: unknown): Outline[] {
  if (!isObject(legs)) return [];
  const side = zeroOr(legs.apart) / 2;
  return [circle([0, side], legs.radius), circle([0, -side], legs.radius)];
}

function box({ center, size, heading }: Readonly<Record<string, unknown>>): Outline {
  const [middle] = pointsIn([center]);
  const [sizes] = pointsIn([size]);
  if (middle === undefined || sizes === undefined) return line([], true);
  const turn = (zeroOr(heading) * Math.PI) / 180;
  const corner = (ahead: number, left: number): PlanPoint => ({
    x: middle.x + ahead * Math.cos(turn) - left * Math.sin(turn),
    y: middle.y + ahead * Math.sin(turn) + left * Math.cos(turn),
  });
  const [a, b] = [sizes.x / 2, sizes.y / 2];
  return line([corner(a, b), corner(-a, b), corner(-a, -b), corner(a, -b)], true);
}

function circle(center: unknown, radius: unknown): Outline {
  const [middle] = pointsIn([center]);
  if (middle === undefined) return line([], true);
  const points = Array.from({ length: cornersOfCircle }, (_, index) => {
    const angle = (index / cornersOfCircle) * 2 * Math.PI;
    return {
      x: middle.x + zeroOr(radius) * Math.cos(angle),
      y: middle.y + zeroOr(radius) * Math.sin(angle),
    };
  });
  return line(points, true);
}

function line(points: readonly PlanPoint[], closed: boolean): Outline {
  return { points, closed, kind: 'solid' };
}

function pointsIn(value: unknown): PlanPoint[] {
  return listIn(value).flatMap((point) =>
    Array.isArray(point) ? [{ x: zeroOr(point[0]), y: zeroOr(point[1]) }] : [],
  );
}

function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return listIn(value).filter(isObject);
}

function zeroOr(value: unknown): number {
  return numberIn(value) ?? 0;
}
