import { setImmediate } from 'node:timers/promises';
import { loadScene, SceneCore } from '@azimuth/world/scene';
import type { Client } from '../support/client.js';
import { expectDone } from '../support/envelope.js';
import { number } from '../support/json.js';
import type { LegacyPorts } from '../support/legacy/scanner.js';
import { Bench, type BenchOptions } from '../support/service-test-bench.js';
import { sceneFile } from '../support/streams/virtual-scanner.js';

/** A scanner in this process, on time that goes on only when it is told to, with both legacy ports open. */
export class VirtualScanner {
  readonly rest: Client;

  private constructor(readonly bench: Bench) {
    this.rest = bench.client();
  }

  static async start({
    scene,
    ...options
  }: BenchOptions & { readonly scene?: object } = {}): Promise<VirtualScanner> {
    const core = scene && new SceneCore({ scene: await loadScene(sceneFile(scene)), seed: 1 });
    return new VirtualScanner(await Bench.start({ ...options, ...(core === undefined ? {} : { core }) }));
  }

  get ports(): LegacyPorts {
    const { legacyA, legacyB } = this.bench.service.ports;
    return { A: number(legacyA), B: number(legacyB) };
  }

  async write(name: string, value: unknown): Promise<void> {
    expectDone(await this.rest.write(name, value));
  }

  /** Lets time pass in steps, each followed by what there is to do over sockets. */
  async pass(milliseconds: number, step = 10): Promise<void> {
    for (let left = milliseconds; left > 0; left -= step) {
      this.bench.clock.advance(Math.min(step, left));
      for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    }
  }
}
