import { loadScene, SceneCore } from '@azimuth/world/scene';
import type { Client } from '../support/client.js';
import { expectDone } from '../support/envelope.js';
import { number } from '../support/json.js';
import type { LegacyPorts } from '../support/legacy/scanner.js';
import { Bench, type BenchOptions } from '../support/service-test-bench.js';
import { sceneFile } from '../support/streams/virtual-scanner.js';

/** A scanner in this process with both legacy ports. Time passes only on `pass`. */
export class LegacyTestBench {
  readonly rest: Client;

  private constructor(readonly bench: Bench) {
    this.rest = bench.client();
  }

  static async start({
    scene,
    ...options
  }: BenchOptions & { readonly scene?: object } = {}): Promise<LegacyTestBench> {
    const core = scene && new SceneCore({ scene: await loadScene(sceneFile(scene)), seed: 1 });
    return new LegacyTestBench(await Bench.start({ ...options, ...(core === undefined ? {} : { core }) }));
  }

  get ports(): LegacyPorts {
    const { legacyA, legacyB } = this.bench.service.ports;
    return { A: number(legacyA), B: number(legacyB) };
  }

  async write(name: string, value: unknown): Promise<void> {
    expectDone(await this.rest.write(name, value));
  }

  pass(milliseconds: number, step?: number): Promise<void> {
    return this.bench.pass(milliseconds, step);
  }
}
