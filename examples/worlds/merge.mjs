// @ts-check
// Merges a scan of each of several scanners into one, in the coordinates of the scene: node examples/worlds/merge.mjs
//
// The vehicle moves while a scanner measures. So each point is placed from the pose that the scanner had at the time of
// its beam. Here, the truth of the simulation tells this pose. On a real vehicle, take it from the odometry at this time:
// the scanners are synchronised, so that their times are the same UTC.
import { fileURLToPath } from 'node:url';
import { startWorld } from 'azimuth-scanner/testing';

/**
 * @param {import('azimuth-scanner/testing').TestScanner} scanner
 * @param {import('azimuth-scanner/device').Scan} scan
 */
async function pointsOf(scanner, scan) {
  const { beams } = await scanner.truth({ scan: scan.number });
  return beams.flatMap(({ angle, pose }, beam) => {
    const distance = (scan.distance[3 * beam] ?? 0) / 1000;
    if (distance === 0) return [];
    const direction = ((pose.heading + angle) * Math.PI) / 180;
    return [{ x: pose.x + distance * Math.cos(direction), y: pose.y + distance * Math.sin(direction) }];
  });
}

/**
 * Returns the points of the last scans, in m.
 * @param {string} world the path of a world file
 * @param {readonly string[]} names of its scanners
 * @param {number} milliseconds that pass before
 */
export async function mergedScan(world, names, milliseconds) {
  const started = await startWorld({ world, synchronised: true });
  try {
    /** @type {Map<string, import('azimuth-scanner/device').Scan>} */
    const scans = new Map();
    for (const name of names) {
      const { measuring } = started.scanner(name).device.features;
      // The scan is used again for the next one: it is read while time stands still.
      measuring.watch({ scan: (scan) => void scans.set(name, scan) });
    }
    await started.advance(milliseconds);
    const points = await Promise.all([...scans].map(([name, scan]) => pointsOf(started.scanner(name), scan)));
    return points.flat();
  } finally {
    await started.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const points = await mergedScan(
    fileURLToPath(new URL('agv.json', import.meta.url)),
    ['front', 'rear'],
    5000,
  );
  console.log(`${points.length} points all around the vehicle`);
}
