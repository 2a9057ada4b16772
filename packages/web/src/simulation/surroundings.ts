import { isObject } from '@azimuth/model';
import type { PlanPoint } from '../live/viewport.js';

/** Where something is: m, and degrees counter-clockwise. */
export interface Place extends PlanPoint {
  readonly heading: number;
}

/** The state of the simulation, as far as the page shows it. What the control port does not tell is undefined. */
export interface Surroundings {
  readonly scene: string | undefined;
  readonly temperature: number | undefined;
  readonly temperatureIsSet: boolean;
  /** The share of light that is blocked, by sector. */
  readonly contamination: readonly number[];
  /** Is the signal from outside high? By port. */
  readonly ports: readonly { readonly port: number; readonly type: string; readonly driven: boolean }[];
  /** mm/s. */
  readonly encoderSpeed: number | undefined;
  /** s since the scanner was switched on. */
  readonly uptime: number | undefined;
}

export function surroundingsIn(overview: Readonly<Record<string, unknown>>): Surroundings {
  const { scene, temperature, temperatureIsSet, contamination, ports, encoder, clock } = overview;
  return {
    scene: isObject(scene) ? String(scene.name) : undefined,
    temperature: numberIn(temperature),
    temperatureIsSet: temperatureIsSet === true,
    contamination: listIn(contamination).filter((share) => typeof share === 'number'),
    ports: listIn(ports)
      .filter(isObject)
      .map(({ port, type, driven }) => ({ port: Number(port), type: String(type), driven: driven === true })),
    encoderSpeed: isObject(encoder) ? numberIn(encoder.speed) : undefined,
    uptime: isObject(clock) ? numberIn(clock.uptime) : undefined,
  };
}

/** Where the scanner and the actors are, the actors by their names. */
export interface Places {
  readonly scanner: Place;
  readonly actors: ReadonlyMap<string, Place>;
}

export function placesIn(json: Readonly<Record<string, unknown>>): Places {
  const actors = listIn(json.actors).filter(isObject);
  return {
    scanner: placeIn(json.scanner),
    actors: new Map(actors.map((actor) => [String(actor.name), placeIn(actor)])),
  };
}

/** A scene that comes with the scanner. */
export interface ReadyScene {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

export function readyScenesIn({ scenes }: Readonly<Record<string, unknown>>): ReadyScene[] {
  return listIn(scenes)
    .filter(isObject)
    .map(({ name, title, description }) => ({
      name: String(name),
      title: String(title),
      description: String(description),
    }));
}

function placeIn(value: unknown): Place {
  const { x, y, heading } = isObject(value) ? value : {};
  return { x: numberIn(x) ?? 0, y: numberIn(y) ?? 0, heading: numberIn(heading) ?? 0 };
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
