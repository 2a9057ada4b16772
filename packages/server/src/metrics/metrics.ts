import type { ServerResponse } from 'node:http';
import type { Device } from '@azimuth/device';
import {
  asDeclared,
  endInPieces,
  isClientClosed,
  processText,
  prometheusText,
  prometheusType,
  TimedCache,
} from '@azimuth/http';
import { type Counts, metricsOf } from './scanner-metrics.js';

/**
 * Page `/metrics` of one scanner. Building it takes milliseconds, and it needs no login, so it is cached for a second.
 */
export class Metrics {
  readonly #page: TimedCache<Buffer>;

  constructor(device: Device, counts: Counts) {
    const make = async () => {
      const ofProcess = await processText();
      return Buffer.from(`${await prometheusText(metricsOf(device, counts))}\n${ofProcess}`);
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
