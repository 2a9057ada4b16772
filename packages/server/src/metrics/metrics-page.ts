import type { ServerResponse } from 'node:http';
import type { Device } from '@azimuth/device';
import { asDeclared, endInPieces, isForNobody } from '../http/reply.js';
import type { Counts } from './counts.js';
import { Metrics } from './metrics.js';

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
export function metricsOf(device: Device, counts: Counts): Metrics {
  let metrics = ofScanners.get(device);
  if (metrics === undefined) {
    metrics = new Metrics(device, counts);
    ofScanners.set(device, metrics);
  }
  return metrics;
}
