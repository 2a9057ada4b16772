import { setTimeout } from 'node:timers/promises';
import type { Device } from '@azimuth/device';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type Family, familiesOf } from './families.js';
import type { Traffic } from './traffic.js';

/** How long (ms) the lag of the event loop is watched before it is told for the first time: several of its samples. */
const firstLook = 50;

/** Lag of the event loop, memory, CPU: of the process, which many scanners may share. */
let ofProcess: Promise<Registry> | undefined;

/** The metrics of one scanner as Prometheus reads them. Nothing is measured for them before somebody asks. */
export class Metrics {
  readonly #registry = new Registry();

  constructor(device: Device, traffic: Traffic) {
    for (const family of familiesOf(device, traffic)) register(family, this.#registry);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  async text(): Promise<string> {
    ofProcess ??= processMetrics();
    return Registry.merge([this.#registry, await ofProcess]).metrics();
  }
}

async function processMetrics(): Promise<Registry> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  await setTimeout(firstLook);
  return registry;
}

/** Takes the samples of a family when the page is asked for: they are the counts, no copies of them. */
function register({ name, help, type, labels = [], samples }: Family, registry: Registry): void {
  const facts = { name, help, labelNames: [...labels], registers: [registry] };
  if (type === 'gauge') {
    const gauge = new Gauge({
      ...facts,
      collect: () => {
        gauge.reset();
        for (const sample of samples()) gauge.set({ ...sample.labels }, sample.value);
      },
    });
    return;
  }
  const counter = new Counter({
    ...facts,
    collect: () => {
      counter.reset();
      for (const sample of samples()) counter.inc({ ...sample.labels }, sample.value);
    },
  });
}
