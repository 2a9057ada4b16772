import type { Json } from '../../match/matcher.js';
import { askControl, control, pause, type Step } from '../../steps/index.js';
import { comesTo } from '../value-steps.js';

/** A fault for the control port: its kind, and its members. */
export interface PlannedFault {
  readonly kind: string;
  readonly [member: string]: Json;
}

/** Begins a fault. It lasts until `endFaults`. */
export function fault(planned: PlannedFault): readonly Step[] {
  // A fault of the device begins with the next passing of time.
  return [control('faults', { faults: [planned] }), pause(0.005)];
}

/** Ends all faults. */
export const endFaults: Step = control('faults/clear');

/**
 * Ends faults of the core, and waits until it has recovered. It goes before `formerScene`, and before the fields are put back: a
 * scanner may notice that only as long as something uses the scans.
 */
export const recovered: readonly Step[] = [endFaults, comesTo('DeviceStatus', 3, 2)];

/** A thing that the steps move. Lengths in m, as in scene files. */
export interface Thing {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  /** Length and width. */
  readonly size: readonly [number, number];
  readonly material?: string;
}

/** m: half the width of the room in which the things are. */
export const roomHalf = 8;

/** A square room around the scanner, without noise, with these things in it. */
function room(things: readonly Thing[]): Json {
  const h = roomHalf;
  return {
    name: 'Conformance check',
    noise: { enabled: false },
    polygons: [
      {
        points: [
          [h, h],
          [-h, h],
          [-h, -h],
          [h, -h],
        ],
        material: 'white',
      },
    ],
    actors: things.map(({ name, x, y, size, material = 'white' }) => ({
      name,
      boxes: [{ center: [0, 0], size, material }],
      path: { waypoints: [{ t: 0, x, y }] },
    })),
  };
}

/** Replaces the scene by a room with these things. `formerScene` puts the former scene back. */
export function inRoom(...things: readonly Thing[]): readonly Step[] {
  return inScene(room(things));
}

/** Replaces the scene by nothing at all: no beam has an echo. */
export const inNothing = inScene({ name: 'Nothing', noise: { enabled: false } });

/** Replaces the scene, and waits until the scans that began in the former one are over: a revolution lasts 67 ms at most. */
function inScene(scene: Json): readonly Step[] {
  return [askControl('scene', { scene: '' }), control('scene', scene), pause(0.15)];
}

/** Puts the scene back that was there before `inRoom`. */
export const formerScene: Step = control('scene', { saved: 'scene' });

/** Puts a thing elsewhere, in m. */
export function move(name: string, x: number, y: number): Step {
  return control('actors/move', { name, x, y });
}
