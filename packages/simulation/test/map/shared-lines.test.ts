import { geometryOf, Scan } from '@azimuth/device';
import { performanceProfiles, SensitivityMode } from '@azimuth/model';
import { expect, it } from 'vitest';
import { parseScene, SceneMeasurement } from '../../src/world/index.js';

const geometry = geometryOf(performanceProfiles[8]);
const order = { geometry, sensitivity: SensitivityMode.STANDARD, longRange: false };

it('scanners in the same map use the same lines, standing or driving', () => {
  // 40,000 lines, which take 1.4 MB, and their groups. The beams of a scanner take 1.4 MB, too.
  const outlines = Array.from(
    { length: 10_000 },
    (_, cell) => `M${2 * (cell % 100)} ${2 * Math.floor(cell / 100)}h1v1h-1z`,
  );
  const path = {
    waypoints: [
      { t: 0, x: 0.3, y: 0.3 },
      { t: 100, x: 9, y: 9 },
    ],
  };
  const scene = parseScene(
    { map: { resolution: 0.1, outlines: outlines.join('') }, scanner: { path } },
    'scene',
  );
  const measured = () => {
    const measurement = new SceneMeasurement(scene, 1, order);
    const scan = new Scan(geometry);
    for (let number = 0; number < 2; number++) {
      scan.number = number;
      scan.time = number * 20_000;
      measurement.measure(scan);
    }
    return measurement;
  };
  measured();
  const before = process.memoryUsage().arrayBuffers;
  const all = Array.from({ length: 20 }, measured);
  const bytes = (process.memoryUsage().arrayBuffers - before) / all.length;
  expect(bytes).toBeLessThan(2_000_000);
});
