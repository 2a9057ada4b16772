import {
  type Controls,
  type Device,
  Later,
  type Log,
  type MeasuringCore,
  type MovableClock,
  type Random,
} from '@azimuth/device';
import type { VirtualHost } from './virtual-host.js';

/** What a scanner sees that nobody has told what to see. */
export const usualScene = 'warehouse-aisle';

/** Loaded when a scene is needed for the first time, so that a scanner starts without. */
export const scenesLater = new Later(() => import('./scene/index.js'));

/** Loaded when a control port is opened. */
const controlsLater = new Later(async () => (await import('./control/controls.js')).controlsOf);

/** The core of a virtual scanner that was told nothing of what it sees: one of the ready scenes, with noise that is like no other. */
export async function usualCore(random: Random, log: Log): Promise<MeasuringCore> {
  const { SceneCore, readyScene } = await scenesLater.untilLoaded((error) =>
    log.error('The scanner measures later', { reason: error.message }),
  );
  return new SceneCore({ scene: readyScene(usualScene), seed: seedOf(random) });
}

function seedOf(random: Random): number {
  return new DataView(random.bytes(4).slice().buffer).getUint32(0);
}

/**
 * What the control port of a virtual scanner does and shows: power cycles, time travel, the hardware of `host` and the
 * scene.
 */
export function virtualControls(
  clock: MovableClock,
  host: VirtualHost,
): (device: Device) => Promise<Controls> {
  return async (device) => (await controlsLater.loaded())(device, clock, host);
}
