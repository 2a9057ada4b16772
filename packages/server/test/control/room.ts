import { angleOf, echoesPerBeam, type Log } from '@azimuth/device';
import { VirtualHardware } from '@azimuth/simulation';
import { parseScene, SceneCore } from '@azimuth/simulation/world';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { settled } from '../streams/scanner.js';

/** A wall 5 m ahead, and a box 2 m long and 1 m wide whose middle is 3 m ahead. */
export const room = {
  name: 'Room',
  noise: { enabled: false },
  walls: [{ from: [5, -5], to: [5, 5] }],
  actors: [
    {
      name: 'cart',
      boxes: [{ center: [0, 0], size: [2, 1] }],
      path: { waypoints: [{ t: 0, x: 3, y: 0 }] },
    },
  ],
};

/** Starts a scanner with a control port that measures a scene, on virtual time. */
export class SceneScanner {
  #ahead = Number.NaN;
  #number = 0;

  private constructor(readonly testScanner: TestScanner) {
    testScanner.service.device.features.measuring.watch({
      scan: (scan) => {
        for (let beam = 0; beam < scan.geometry.beams; beam++) {
          if (Math.abs(angleOf(scan.geometry, beam)) < 1e-6) {
            this.#ahead = scan.distance[beam * echoesPerBeam] ?? Number.NaN;
          }
        }
        this.#number = scan.number;
      },
    });
  }

  static async start(scene: unknown = room): Promise<SceneScanner> {
    let hardware: VirtualHardware | undefined;
    const dirt = { contamination: () => hardware?.contamination() ?? [] };
    const core = new SceneCore({ scene: parseScene(scene, 'room.json'), seed: 1, dirt });
    const host = (log: Log) => {
      hardware = new VirtualHardware(log);
      return hardware;
    };
    return new SceneScanner(await TestScanner.start({ core, hardware: host, controlPort: 0 }));
  }

  /** Returns the distance straight ahead in the next complete revolution, in mm; 0 for nothing. */
  async ahead(): Promise<number> {
    await settled();
    // The present revolution ends as it began.
    const after = this.#number + 1;
    while (this.#number <= after) {
      this.testScanner.clock.advance(5);
      await settled(1);
    }
    return Math.round(this.#ahead);
  }
}
