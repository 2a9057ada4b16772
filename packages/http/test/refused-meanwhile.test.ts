import type { ServerResponse } from 'node:http';
import { Refusal } from '@azimuth/model';
import { listening } from '@azimuth/test-support/listening';
import { expectEnd, openAndSend } from '@azimuth/test-support/raw-connection';
import { expect, test } from 'vitest';
import { Admission } from '../src/admission.js';
import { Connections } from '../src/connections.js';
import { HttpPort } from '../src/http-port.js';
import { errorReport } from '../src/interfaces.js';
import { JsonBody, refuse, respond, respondJson, respondText, sendBytes } from '../src/responses.js';

const large = Buffer.alloc(1_000_000, 'x');

test.each<[string, (response: ServerResponse) => unknown]>([
  ['JSON', (response) => respondJson(response, 200, { up: true })],
  ['JSON of the interface', (response) => respond(response, new JsonBody('{}'))],
  ['large JSON', (response) => respondJson(response, 200, String(large))],
  ['bytes', (response) => sendBytes(response, 'text/plain', large)],
  ['text', (response) => respondText(response, 404, 'nothing')],
  ['a refusal', (response) => refuse(response, new Refusal('internalServerError', '', 'why'))],
  [
    'a header, and a page',
    (response) => response.setHeader('Vary', 'Accept').appendHeader('Vary', 'A').end('x'),
  ],
  ['parts', (response) => response.writeHead(200).write('x') && response.write('y') && response.end()],
])('%s of a handler that waited while its request was refused is dropped', async (_, send) => {
  const failed: unknown[] = [];
  const errors = errorReport((_, error) => failed.push(error));
  const connections = new Connections(1, (error) => failed.push(error));
  const sent: unknown[] = [];
  const port = new HttpPort({
    ...{ errors, connections, admission: new Admission({}) },
    serve: (_, response) =>
      void errors.contain('http', async () => {
        response.on('error', (error) => failed.push(error));
        await undefined;
        sent.push(response.statusCode);
        await send(response);
      }),
  });
  const broken = 'GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: x\r\n\r\n';
  const connection = await openAndSend(await listening(port.listener()), broken);
  await expectEnd(connection, 400);
  expect(sent).toEqual([400]);
  expect(failed).toEqual([]);
});
