import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import type { Device } from '@azimuth/device';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { asDeclared, endInPieces, isForNobody } from '../http/reply.js';
import type { Counts, Family } from './counts.js';
import { familiesOf } from './families.js';

/** How long (ms) the lag of the event loop is watched before it is told for the first time: several of its samples. */
const firstLook = 50;

/** How long (ms) all who ask for metrics get the same: making them takes milliseconds, and anybody may ask. */
const usuallyFreshFor = 1000;

/** Lag of the event loop, memory, CPU: of the process, which many scanners may share. */
let ofProcess: Promise<Registry> | undefined;

/** The metrics of one scanner as Prometheus reads them. Nothing is measured for them before somebody asks. */
export class Metrics {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  /** How often they were made. */
  made = 0;
  readonly #freshFor: number;
  readonly #families: readonly Family[];
  #last: Promise<Buffer> | undefined;
  #lastAt = 0;

  constructor(device: Device, counts: Counts) {
    this.#freshFor = counts.freshFor ?? usuallyFreshFor;
    this.#families = familiesOf(device, counts);
  }

  /** The page: made once for all who ask within a second, which is the host's: nobody travels in it. */
  page(): Promise<Buffer> {
    const now = performance.now();
    if (this.#last === undefined || now - this.#lastAt >= this.#freshFor) {
      this.#last = this.#make();
      this.#lastAt = now;
      this.#last.catch(() => {
        this.#last = undefined;
      });
    }
    return this.#last;
  }

  async #make(): Promise<Buffer> {
    this.made++;
    ofProcess ??= processMetrics();
    const process = await (await ofProcess).metrics();
    return Buffer.from(`${this.#families.map(textOf).join('\n')}\n${process}`);
  }
}

async function processMetrics(): Promise<Registry> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  await setTimeout(firstLook);
  return registry;
}

/** A family in the text format 0.0.4, from the counts themselves: nothing is kept of them in between. */
function textOf({ name, help, type, samples }: Family): string {
  let text = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  for (const { labels, value } of samples()) text += `${name}${labelsOf(labels)} ${value}\n`;
  return text;
}

function labelsOf(labels: Readonly<Record<string, string>> | undefined): string {
  if (labels === undefined) return '';
  return `{${Object.entries(labels)
    .map(([label, value]) => `${label}="${escaped(value)}"`)
    .join()}}`;
}

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}

const ofScanners = new WeakMap<Device, Metrics>();

/** Sends the metrics of a scanner. */
export async function sendMetrics(device: Device, counts: Counts, response: ServerResponse): Promise<void> {
  if (isForNobody(response)) return;
  const metrics = metricsOf(device, counts);
  const body = await metrics.page();
  if (isForNobody(response)) return;
  response.writeHead(200, {
    'Content-Type': metrics.contentType,
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
