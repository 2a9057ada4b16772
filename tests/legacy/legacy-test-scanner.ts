import { loadScene, SceneCore } from '@azimuth/simulation/world';
import type { Client } from '@azimuth/test-support/client';
import { expectDone } from '@azimuth/test-support/envelope';
import { number } from '@azimuth/test-support/json';
import type { LegacyPorts } from '@azimuth/test-support/legacy/scanner';
import { sceneFile } from '@azimuth/test-support/streams/virtual-scanner';
import { TestScanner, type TestScannerOptions } from '@azimuth/test-support/test-scanner';

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
    return new LegacyTestScanner(await TestScanner.start({ ...options, core }));
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
