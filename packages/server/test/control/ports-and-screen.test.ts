import { UnexpectedErrors, VirtualClock } from '@azimuth/device';
import { VirtualHost } from '@azimuth/world';
import { expect, onTestFinished, test } from 'vitest';
import { Client } from '../../../../tests/support/client.js';
import { parse } from '../../../../tests/support/json.js';
import { LogBook } from '../../../../tests/support/log-book.js';
import { portCommands, screenCommands } from '../../../world/src/control/hardware-commands.js';
import { ControlPort } from '../../src/control/control-port.js';
import { done, refused } from './control-client.js';

/** A control port with the commands of ports and front screen, and what they have done. */
async function opened() {
  const host = new VirtualHost(new LogBook());
  const levels: (readonly [number, boolean])[] = [];
  let looks = 0;
  const ports = { setLevel: (port: number, high: boolean) => levels.push([port, high]) };
  const contamination = {
    levelsChanged: () => {
      looks += 1;
    },
  };
  const commands = { ...portCommands(ports), ...screenCommands(contamination, host) };
  const control = new ControlPort({
    controls: { commands, views: {} },
    listeners: () => ({}),
    allowedHosts: [],
    refused: () => undefined,
    errors: new UnexpectedErrors({ log: host.log, clock: new VirtualClock() }),
  });
  onTestFinished(() => control.close());
  const number = await control.open(0);
  return {
    host,
    levels,
    looks: () => looks,
    async post(path: string, body: unknown) {
      const request = { method: 'POST', path, body: JSON.stringify(body) };
      const reply = await new Client(number).send(request);
      return { status: reply.httpStatus, json: parse(reply.text) };
    },
  };
}

test('a port is driven high and low', async () => {
  const { levels, post } = await opened();
  expect(await post('/input', { port: 1, high: true })).toEqual(done);
  expect(await post('/input', { port: 8, high: false })).toEqual(done);
  expect(levels).toEqual([
    [1, true],
    [8, false],
  ]);
});

test.each([
  [{ port: 0, high: true }, '"port" has to be a whole number from 1 to 8'],
  [{ port: 9, high: true }, '"port" has to be a whole number from 1 to 8'],
  [{ port: 1.5, high: true }, '"port" has to be a whole number from 1 to 8'],
  [{ port: '1', high: true }, '"port" has to be a whole number from 1 to 8'],
  [{ high: true }, '"port" has to be a whole number from 1 to 8'],
  [{ port: 1, high: 1 }, '"high" has to be true or false'],
  [{ port: 1 }, '"high" has to be true or false'],
  [{ port: 1, high: true, low: 1 }, 'input takes "port", "high", not "low"'],
])('no port is driven by %j', async (body, error) => {
  const { levels, post } = await opened();
  expect(await post('/input', body)).toEqual(refused(error));
  expect(levels).toEqual([]);
});

test('dirt is on the whole front screen, or on one sector', async () => {
  const { host, looks, post } = await opened();
  expect(await post('/contamination', { level: 0.25 })).toEqual(done);
  expect(host.contamination()).toEqual(Array.from({ length: 12 }, () => 0.25));
  expect(await post('/contamination', { level: 1, sector: 3 })).toEqual(done);
  expect(await post('/contamination', { level: 0, sector: 12 })).toEqual(done);
  const q = 0.25;
  expect(host.contamination()).toEqual([q, q, 1, q, q, q, q, q, q, q, q, 0]);
  expect(looks()).toBe(3);
});

test.each([
  [{ level: -0.1 }, '"level" has to be a number from 0 to 1'],
  [{ level: 1.1 }, '"level" has to be a number from 0 to 1'],
  [{ level: 'dirty' }, '"level" has to be a number from 0 to 1'],
  [{}, '"level" has to be a number from 0 to 1'],
  [{ level: 1, sector: 0 }, '"sector" has to be a whole number from 1 to 12'],
  [{ level: 1, sector: 13 }, '"sector" has to be a whole number from 1 to 12'],
  [{ level: 1, sector: 2.5 }, '"sector" has to be a whole number from 1 to 12'],
  [{ level: 1, sector: null }, '"sector" has to be a whole number from 1 to 12'],
])('%j is no dirt', async (body, error) => {
  const { host, looks, post } = await opened();
  expect(await post('/contamination', body)).toEqual(refused(error));
  expect(host.contamination()).toEqual(Array.from({ length: 12 }, () => 0));
  expect(looks()).toBe(0);
});
