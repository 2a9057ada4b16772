import type { ServerResponse } from 'node:http';
import type { Device } from '@azimuth/device';
import { Metrics } from './metrics.js';
import type { Traffic } from './traffic.js';

const ofScanners = new WeakMap<Device, Metrics>();

/** Sends the metrics of a scanner. */
export async function sendMetrics(device: Device, traffic: Traffic, response: ServerResponse): Promise<void> {
  let metrics = ofScanners.get(device);
  if (metrics === undefined) {
    metrics = new Metrics(device, traffic);
    ofScanners.set(device, metrics);
  }
  const body = Buffer.from(await metrics.text());
  response.writeHead(200, { 'Content-Type': metrics.contentType, 'Content-Length': body.length });
  response.end(body);
}
