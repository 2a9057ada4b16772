import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Refusal } from '@azimuth/model';
import { listening } from '@azimuth/test-support/listening';
import { expectEnd, openAndSend } from '@azimuth/test-support/raw-connection';
import { describe, expect, test } from 'vitest';
import { Admission } from '../src/admission.js';
import { Connections } from '../src/connections.js';
import { HttpPort } from '../src/http-port.js';
import { errorReport } from '../src/interfaces.js';
import { JsonBody, refuse, respond, respondJson, respondText, sendBytes } from '../src/responses.js';

const large = Buffer.alloc(1_000_000, 'x');

const responses: readonly [string, (response: ServerResponse) => unknown][] = [
  ['JSON', (response) => respondJson(response, 200, { up: true })],
  ['JSON of the interface', (response) => respond(response, new JsonBody('{}'))],
  ['large JSON', (response) => respondJson(response, 200, String(large))],
  ['bytes', (response) => sendBytes(response, 'text/plain', large)],
  ['text', (response) => respondText(response, 404, 'nothing')],
  ['a refusal', (response) => refuse(response, new Refusal('internalServerError', '', 'why'))],
  ['a header', (response) => response.setHeader('Vary', 'Accept').end('x')],
  ['parts', (response) => response.writeHead(200).write('x') && response.end()],
  ['a stream', (response) => pipeline(Readable.from(['a', 'b']), response.writeHead(200))],
];

const waits: readonly [string, (response: ServerResponse) => unknown][] = [
  ['for a moment', () => undefined],
  ['until the connection was closed', (response) => once(response, 'close')],
];

describe.each(waits)('a handler that waits %s while its request is refused', (_, wait) => {
  test.each(responses)('ends, and nobody is told: %s', async (_, send) => {
    const failed: unknown[] = [];
    const errors = errorReport((_, error) => failed.push(error));
    const connections = new Connections(1, (error) => failed.push(error));
    let isHandled: (httpStatus: number) => void = () => undefined;
    const handled = new Promise<number>((resolve) => {
      isHandled = resolve;
    });
    const port = new HttpPort({
      ...{ errors, connections, admission: new Admission({}) },
      serve: (_, response) =>
        errors.contain('http', async () => {
          response.on('error', (error) => failed.push(error));
          await wait(response);
          try {
            await send(response);
          } finally {
            isHandled(response.statusCode);
          }
        }),
    });
    const broken = 'GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: x\r\n\r\n';
    const connection = await openAndSend(await listening(port.listener()), broken);
    await expectEnd(connection, 400);
    expect(await handled).toBe(400);
    expect(failed).toEqual([]);
  });
});
