import { createServer, type RequestListener } from 'node:http';
import { respond } from '@azimuth/http';
import { acceptedSockets } from '@azimuth/test-support/accepted-sockets';
import { Client, type HttpResponse } from '@azimuth/test-support/client';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { listening } from '@azimuth/test-support/listening';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { bootMilliseconds, TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { afterEach, expect, test, vi } from 'vitest';
import { successBody } from '../../src/rest/response-bodies.js';

afterEach(() => {
  vi.useRealTimers();
});

async function comeBack(scanner: TestScanner): Promise<void> {
  const { lifecycle } = scanner.service.device;
  await until(() => lifecycle.phase === 'down');
  scanner.clock.advance(bootMilliseconds);
  const isServed = () => {
    // Another program may have the port for a moment. The scanner retries every second.
    if (lifecycle.phase === 'up' && scanner.service.ports.http === null) scanner.clock.advance(1000);
    return lifecycle.phase === 'up' && scanner.service.ports.http !== null;
  };
  await expect.poll(isServed).toBe(true);
}

async function requestFor(scanner: TestScanner, method: string, data?: unknown): Promise<string> {
  const header = await new Client(scanner.httpPort).header(method);
  const body = JSON.stringify({ header, data });
  return `POST /api/${method} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

test('if the client disconnects before its reboot is stored, the scanner still reboots', async () => {
  const storage = new FaultyStorage();
  const scanner = await TestScanner.start({ storage });
  const accepted = acceptedSockets();
  for (let time = 0; time < 20; time++) {
    await new Client(scanner.httpPort).write('LocationName', `Gate ${time}`);
    const request = await requestFor(scanner, 'RebootDevice');
    const storing = storage.delay('parameters.json');
    storage.begun.length = 0;
    const connection = await RawConnection.open(scanner.httpPort);
    connection.write(request);
    await until(() => storage.begun.includes('parameters.json'));
    for (const socket of accepted) socket.destroy();
    await connection.closed;
    expect(scanner.service.device.lifecycle.phase).toBe('up');
    storing.open();
    await comeBack(scanner);
  }
});

test.each([
  ['RebootDevice', undefined],
  ['SoftReset', { ProcessorNbr: 0 }],
])('%s reboots each time, even if the client disconnects right after sending it', async (method, data) => {
  const scanner = await TestScanner.start();
  for (let time = 0; time < 20; time++) {
    const connection = await RawConnection.open(scanner.httpPort);
    connection.write(await requestFor(scanner, method, data));
    connection.destroy();
    await comeBack(scanner);
  }
});

test('a client that does not read its answer does not delay a reboot', async () => {
  const scanner = await TestScanner.start();
  const reboot = await requestFor(scanner, 'RebootDevice');
  const connection = await RawConnection.open(scanner.httpPort);
  connection.socket.pause();
  connection.write(`${'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20)}${reboot}`);
  await comeBack(scanner);
  connection.destroy();
});

/** Serves requests in this way, and sends one. */
async function ask(serve: RequestListener): Promise<HttpResponse> {
  return new Client(await listening(createServer(serve))).get('anything');
}

test('the action after an answer runs once, when the answer is sent, and leaves no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let times = 0;
  const answer = await ask((_, response) => {
    respond(response, successBody(), () => times++);
    expect([times, vi.getTimerCount()]).toEqual([0, 1]);
  });
  expect(answer.text).toContain('"status":0');
  await until(() => times > 0);
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(1000);
  expect(times).toBe(1);
});

test('if the client is gone, the action runs at once, and only once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let times = 0;
  const asking = ask((request, response) => {
    request.socket.destroy();
    respond(response, successBody(), () => times++);
    expect([times, vi.getTimerCount()]).toEqual([1, 0]);
  });
  await expect(asking).rejects.toThrow('socket hang up');
  expect(times).toBe(1);
});
