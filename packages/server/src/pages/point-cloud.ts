import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Device } from '@azimuth/device';
import { codeOf } from '@azimuth/device/documents';
import { asDeclared, isClientClosed, respondText } from '@azimuth/http';
import { retryAfter } from '@azimuth/http/limits';
import { measurementDataOutput } from '@azimuth/model';
import { mostCloudDownloads } from '../files/limits.js';

let sending = 0;

/** 3D recorder. */
export interface Recorder {
  /** Opens the present cloud. The caller must read or close it, once. */
  cloud(): Promise<RecordedCloud | undefined>;
}

interface RecordedCloud {
  readonly bytes: number;
  pieces(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * GET /cloud.pcd: the latest 3D recording at the time of the request, even if a new one replaces it meanwhile. Only a
 * few pieces of it are in memory. HTTP 404 with text if there is no recording, 503 if there are too many downloads.
 * @param recorder undefined for a scanner without a 3D recorder
 */
export async function sendCloud(recorder: Recorder | undefined, response: ServerResponse): Promise<void> {
  if (recorder === undefined) {
    respondText(
      response,
      404,
      'This scanner has no 3D recorder: it came with 2.3.1, and the variant basic lacks it',
    );
    return;
  }
  if (isClientClosed(response)) return;
  if (sending >= mostCloudDownloads) {
    response.setHeader('Retry-After', retryAfter);
    respondText(response, 503, 'Too many download the point cloud at the same time; try again');
    return;
  }
  sending++;
  try {
    await sendRecorded(recorder, response);
  } finally {
    sending--;
  }
}

async function sendRecorded(recorder: Recorder, response: ServerResponse): Promise<void> {
  const cloud = await recorder.cloud();
  if (cloud === undefined) {
    respondText(response, 404, 'There is no recorded point cloud: see StartScanMerge and StopScanMerge');
    return;
  }
  try {
    response.writeHead(200, {
      'Content-Type': 'application/octet-stream',
      'Content-Length': cloud.bytes,
      'Content-Disposition': 'attachment; filename="cloud.pcd"',
      'Cache-Control': 'no-store',
      ...asDeclared,
    });
    if (response.req.method === 'HEAD') response.end();
    else await pipeline(cloud.pieces(), response);
  } catch (error) {
    if (!isPrematureClose(error)) throw error;
  } finally {
    await cloud.close();
  }
}

/** Returns the 3D recorder of a scanner; undefined if its release or variant has none. */
export function recorderOf({ served, features: { scanMerge } }: Device): Recorder | undefined {
  return measurementDataOutput.members.StartScanMerge.isIn(served.edition) ? scanMerge : undefined;
}

/** Returns true if the client closed the connection before the end. That is not an error. */
function isPrematureClose(error: unknown): boolean {
  return codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE';
}
