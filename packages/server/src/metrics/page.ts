import type { ServerResponse } from 'node:http';
import type { Device } from '@azimuth/device';
import { endInPieces, isForNobody } from '../http/pieces.js';
import { asDeclared } from '../http/reply.js';
import { Metrics } from './metrics.js';
import type { Traffic } from './traffic.js';

const ofScanners = new WeakMap<Device, Metrics>();

/** Sends the metrics of a scanner. */
export async function sendMetrics(device: Device, traffic: Traffic, response: ServerResponse): Promise<void> {
  if (isForNobody(response)) return;
  const metrics = metricsOf(device, traffic);
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
export function metricsOf(device: Device, traffic: Traffic): Metrics {
  let metrics = ofScanners.get(device);
  if (metrics === undefined) {
    metrics = new Metrics(device, traffic);
    ofScanners.set(device, metrics);
  }
  return metrics;
}
