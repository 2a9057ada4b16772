import { createServer, type Socket } from 'node:net';
import { listening } from '@azimuth/test-support/listening';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { expect, onTestFinished, test } from 'vitest';
import { guiOf } from './gui-of.js';

const answer = '{"header":{"status":0,"message":"Ok"},"data":{"LocationName":"Hall"}}';

/** A scanner that resets each connection at its second request, behind a server of the GUI. */
async function behindGui() {
  const requests: string[] = [];
  const server = createServer((socket: Socket) => {
    let inThis = 0;
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      requests.push(String(data).split(' ', 1)[0] ?? '');
      inThis += 1;
      if (inThis === 2) socket.resetAndDestroy();
      else socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${answer.length}\r\n\r\n${answer}`);
    });
  });
  const urls = [`http://127.0.0.1:${await listening(server)}`];
  const gui = guiOf(temporaryFolder(), ...urls);
  const address = await gui.open();
  onTestFinished(() => gui.close());
  const statusOf = async (method: string) => {
    const body = method === 'POST' ? '{}' : null;
    return (await fetch(`${address}s/0/api/LocationName`, { method, body })).status;
  };
  return { requests, statusOf };
}

test('a read is sent once more if the scanner has closed the reused connection', async () => {
  const { requests, statusOf } = await behindGui();
  const statuses: number[] = [];
  for (let time = 0; time < 6; time++) statuses.push(await statusOf('GET'));
  expect(statuses).toEqual(Array(6).fill(200));
  expect(requests.length).toBeGreaterThan(6);
});

test('what may change something is not sent again', async () => {
  const { requests, statusOf } = await behindGui();
  expect(await statusOf('GET')).toBe(200);
  expect(await statusOf('POST')).toBe(502);
  expect(requests).toEqual(['GET', 'POST']);
});
