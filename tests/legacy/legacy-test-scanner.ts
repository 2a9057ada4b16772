import { loadScene, SceneCore } from '@azimuth/world/scene';
import type { Client } from '../support/client.js';
import { expectDone } from '../support/envelope.js';
import { number } from '../support/json.js';
import type { LegacyPorts } from '../support/legacy/scanner.js';
import { sceneFile } from '../support/streams/virtual-scanner.js';
import { TestScanner, type TestScannerOptions } from '../support/test-scanner.js';

/** A scanner in this process with both legacy ports. Time passes only on `pass`. */
export class LegacyTestScanner {
  readonly rest: Client;

  private constructor(readonly testScanner: TestScanner) {
    this.rest = testScanner.client();
  }

  static async start({
    scene,
    ...options
  }: TestScannerOptions & { readonly scene?: object } = {}): Promise<LegacyTestScanner> {
    const core = scene && new SceneCore({ scene: await loadScene(sceneFile(scene)), seed: 1 });
    return new LegacyTestScanner(
      await TestScanner.start({ ...options, ...(core === undefined ? {} : { core }) }),
    );
  }

  get ports(): LegacyPorts {
    const { legacyA, legacyB } = this.testScanner.service.ports;
    return { A: number(legacyA), B: number(legacyB) };
  }

  async write(name: string, value: unknown): Promise<void> {
    expectDone(await this.rest.write(name, value));
  }

  pass(milliseconds: number, step?: number): Promise<void> {
    return this.testScanner.pass(milliseconds, step);
  }
}
