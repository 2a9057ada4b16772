import type { ServerResponse } from 'node:http';
import type { Edition } from '@azimuth/model';
import { openApi } from '@azimuth/model/openapi';
import { asDeclared, endInPieces } from '../http/reply.js';

const documents = new Map<string, Buffer>();

/** Sends the description of this edition. Its bytes are made once: thousands of scanners may share a process. */
export function sendDocument(edition: Edition, response: ServerResponse): void {
  const key = `${edition.release} ${edition.variant}`;
  let body = documents.get(key);
  if (body === undefined) {
    body = Buffer.from(JSON.stringify(openApi(edition)));
    documents.set(key, body);
  }
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    ...asDeclared,
  });
  endInPieces(response, body);
}
