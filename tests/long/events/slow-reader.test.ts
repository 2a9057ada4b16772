import { residentBytes } from '@azimuth/test-support/health';
import { array, type JsonObject, number, object } from '@azimuth/test-support/json';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { Subscriber } from '@azimuth/test-support/subscriber';
import { until } from '@azimuth/test-support/waiting';
import { expect, it } from 'vitest';

const megabyte = 1024 * 1024;
const clientIds = Array.from({ length: 50 }, (_, index) => index + 1);
const followed = ['PortState', 'InputState', 'LSPdatetime'] as const;

/** How often the input changes to high and low, one second apart. */
const steps = 240;

async function drive(scanner: ScannerProcess, high: boolean): Promise<void> {
  const { httpStatus } = await scanner.control('/input', { port: 3, high });
  expect(httpStatus).toBe(200);
  await scanner.advance(1000);
}

const stateOfInput = (data: JsonObject) => object(array(data.aInternalPorts)[2]).ePortState;

it('a subscriber that stops reading costs little memory, does not delay others, and gets the latest values when it reads again', async () => {
  const scanner = await new ScannerFolder().start([], { env: { NODE_OPTIONS: '--max-old-space-size=128' } });
  const port = Number(scanner.httpPort);
  const slow = await Subscriber.connect(port);
  for (const clientId of clientIds) {
    for (const event of followed) await slow.follow(event, clientId);
  }
  await slow.follow('InertialMeasurementUnit');
  const other = await Subscriber.connect(port);
  await other.follow('PortState');
  /** Sets the input high and low. The other subscriber receives each state before the next one. */
  const step = async () => {
    for (const high of [true, false]) {
      await drive(scanner, high);
      expect(stateOfInput(await other.push('PortState'))).toBe(high ? 3 : 4);
    }
  };
  // The first steps load code, and let V8 grow its young generation to the full size: each connection to the control port leaves
  // garbage there, and nothing that lives on. Then the size of one step is measured.
  for (let time = 0; time < 180; time += 1) await step();
  await slow.rest();
  const begun = slow.socket.received.length;
  await step();
  await slow.rest();
  const ofStep = slow.socket.received.slice(begun);
  const bytes = ofStep.reduce((sum, { data }) => sum + data.length, 0);
  expect((bytes * steps) / megabyte).toBeGreaterThan(40);

  const before = residentBytes(scanner);
  slow.socket.webSocket.pause();
  const paused = slow.socket.received.length;
  let most = before;
  for (let time = 0; time < steps; time += 1) {
    await step();
    most = Math.max(most, residentBytes(scanner));
  }
  expect((most - before) / megabyte).toBeLessThan(16);

  slow.socket.webSocket.resume();
  const states = new Map<number, unknown>();
  /** Waits until nothing more of the input comes, and the last state that each registration received is this one. */
  const receivedLast = (state: number) =>
    until(async () => {
      const messages = await slow.rest();
      for (const { event, clientId, data } of messages) {
        if (event === 'PortState') states.set(number(clientId), stateOfInput(object(data)));
      }
      // The motion and the time change always.
      const isOfInput = ({ event }: JsonObject) => event === 'PortState' || event === 'InputState';
      return !messages.some(isOfInput) && clientIds.every((clientId) => states.get(clientId) === state);
    });
  await drive(scanner, true);
  await receivedLast(3);
  // Not every value was kept for it.
  expect(slow.socket.received.length - paused).toBeLessThan((ofStep.length * steps) / 2);
  await drive(scanner, false);
  await receivedLast(4);
}, 120_000);
