import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import type { Device } from '@azimuth/device';
import { asDeclared, endInPieces, isForNobody } from '@azimuth/http';
import type { Registry } from 'prom-client';
import { type Counts, familiesOf } from './families.js';

/** The first value of the event-loop lag is reported after this time (ms): it needs several samples. */
const firstLook = 50;

/** Metrics are cached for this time (ms): building them takes milliseconds, and they need no login. */
const usuallyFreshFor = 1000;

/** Event-loop lag, memory and CPU of the process. Several scanners may share the process. */
let ofProcess: Promise<Registry> | undefined;

/** The metrics of one scanner for Prometheus. Measuring begins with the first request for them. */
export class Metrics {
  readonly #device: Device;
  readonly #counts: Counts;
  #last: Promise<Buffer> | undefined;
  #lastAt = 0;

  constructor(device: Device, counts: Counts) {
    this.#device = device;
    this.#counts = counts;
  }

  /** The page: built at most once a second of host time. Time travel does not affect it. */
  page(): Promise<Buffer> {
    const now = performance.now();
    const { freshFor = usuallyFreshFor } = this.#counts;
    if (this.#last === undefined || now - this.#lastAt >= freshFor) {
      this.#last = this.#make();
      this.#lastAt = now;
      this.#last.catch(() => {
        this.#last = undefined;
      });
    }
    return this.#last;
  }

  async #make(): Promise<Buffer> {
    ofProcess ??= processMetrics();
    const process = await (await ofProcess).metrics();
    return Buffer.from(`${familiesOf(this.#device, this.#counts).join('\n')}\n${process}`);
  }
}

async function processMetrics(): Promise<Registry> {
  // Most scanners are never asked for metrics, and start without the library.
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Gauges with names of counters: the sums of others that stay, by kind.
  for (const kind of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  await setTimeout(firstLook);
  return registry;
}

const ofScanners = new WeakMap<Device, Metrics>();

/** Sends the metrics of a scanner. */
export async function sendMetrics(device: Device, counts: Counts, response: ServerResponse): Promise<void> {
  if (isForNobody(response)) return;
  const metrics = metricsOf(device, counts);
  const body = await metrics.page();
  ofProcess ??= processMetrics();
  const { contentType } = await ofProcess;
  if (isForNobody(response)) return;
  response.writeHead(200, {
    'Content-Type': contentType,
    'Content-Length': body.length,
    ...asDeclared,
  });
  endInPieces(response, body);
}

/** The metrics of a scanner, the same ones each time. */
function metricsOf(device: Device, counts: Counts): Metrics {
  let metrics = ofScanners.get(device);
  if (metrics === undefined) {
    metrics = new Metrics(device, counts);
    ofScanners.set(device, metrics);
  }
  return metrics;
}
