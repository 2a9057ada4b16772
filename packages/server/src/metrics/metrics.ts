import type { ServerResponse } from 'node:http';
import type { Device } from '@azimuth/device';
import {
  asDeclared,
  endInPieces,
  isClientClosed,
  type Metric,
  processText,
  prometheusText,
  prometheusType,
  TimedCache,
} from '@azimuth/http';
import { builtInProduct, type Product, productOf } from '@azimuth/model';
import { type Counts, metricsOf } from './scanner-metrics.js';

/** Returns metrics with the names of a product: they are declared with those of the built-in one. */
function named(metrics: readonly Metric[], { metricPrefix }: Product): readonly Metric[] {
  if (metricPrefix === builtInProduct.metricPrefix) return metrics;
  const declared = `${builtInProduct.metricPrefix}_`;
  return metrics.map((metric) =>
    metric.name.startsWith(declared)
      ? { ...metric, name: `${metricPrefix}_${metric.name.slice(declared.length)}` }
      : metric,
  );
}

/**
 * Page `/metrics` of one scanner. Building it takes milliseconds, and it needs no login, so it is cached for a second.
 */
export class Metrics {
  readonly #page: TimedCache<Buffer>;

  constructor(device: Device, counts: Counts) {
    const make = async () => {
      const ofProcess = await processText();
      const metrics = named(metricsOf(device, counts), productOf(device.served.edition));
      return Buffer.from(`${await prometheusText(metrics)}\n${ofProcess}`);
    };
    this.#page = new TimedCache(make, counts.freshFor);
  }

  async send(response: ServerResponse): Promise<void> {
    if (isClientClosed(response)) return;
    const body = await this.#page.get();
    if (isClientClosed(response)) return;
    response.writeHead(200, {
      'Content-Type': prometheusType,
      'Content-Length': body.length,
      ...asDeclared,
    });
    endInPieces(response, body);
  }
}
