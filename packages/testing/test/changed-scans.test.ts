import type { MeasuringCore } from '@azimuth/device';
import { readyScene, SceneCore } from '@azimuth/simulation/world';
import { expect, onTestFinished, test } from 'vitest';
import { startScanner } from '../src/index.js';

type Start = MeasuringCore['start'];

const scene = readyScene('empty-room');

/** Passes the scans of a scene on, with values that no measurement can have. */
function spoiling(start: Start): Start {
  return (order, measured) =>
    start(order, (scan) => {
      scan.distance.fill(Number.NaN);
      measured(scan);
    });
}

class SpoiltScene extends SceneCore {
  override start(...[order, measured]: Parameters<Start>): void {
    spoiling((...args) => super.start(...args))(order, measured);
  }
}

function around(core: SceneCore): MeasuringCore {
  return { start: spoiling((...args) => core.start(...args)), stop: () => core.stop() };
}

/** A scene whose method somebody has replaced. */
function replaced(core: SceneCore): MeasuringCore {
  core.start = spoiling(core.start.bind(core));
  return core;
}

test.each<[string, () => MeasuringCore]>([
  ['of a class of its own', () => new SpoiltScene({ scene, seed: 1 })],
  ['whose start was replaced', () => replaced(new SceneCore({ scene, seed: 1 }))],
  ['that passes the scans of another core on', () => around(new SceneCore({ scene, seed: 1 }))],
])(
  'values that no measurement can have are found in a core %s, and not in a scene after it',
  async (_, make) => {
    const statusWith = async (core: MeasuringCore) => {
      const scanner = await startScanner({ core });
      onTestFinished(() => scanner.close());
      await scanner.write('ScanDataEnable', true);
      await scanner.advance(500);
      return scanner.read('DeviceStatus');
    };
    expect(await statusWith(make())).toBe(7);
    expect(await statusWith(new SceneCore({ scene, seed: 1 }))).toBe(3);
  },
);
