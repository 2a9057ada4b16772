import { Health } from '@azimuth/test-support/health';
import { object } from '@azimuth/test-support/json';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { openSocket, Subscriber } from '@azimuth/test-support/subscriber';
import { until } from '@azimuth/test-support/waiting';
import { WebSocketClient, type WebSocketOptions } from '@azimuth/test-support/web-socket';
import { expect, test } from 'vitest';
import { env, extentOf, mostGrowth } from './fuzz-run.js';
import { webSocketInput } from './web-socket-input.js';

const extent = extentOf({ inputs: 10_000, seconds: 300 });
const { seed, inputs, seconds, again } = extent;
const clients = 8;

const paths = ['/apievents', '/apievents', '/apievents', '/x/events'];

/** Close codes of the scanner, 3000 for those of clients; undefined if the connection stayed open or was reset. */
const codes = [1000, 1001, 1002, 1003, 1005, 1007, 1008, 1009, 3000, undefined];

/** The scanner repeats the code of a client that closes. Clients may use any code from 3000 to 4999. */
const isCodeOfClient = (code = 0) => code >= 3000 && code <= 4999;

interface Outcome {
  readonly sent: number;
  readonly code: number | undefined;
}

/** Sends some inputs on one connection. */
async function sendInputs(port: number, random: SeededRandom): Promise<Outcome> {
  const options: WebSocketOptions = random.percent(50) ? { extensions: 'permessage-deflate' } : {};
  const socket = await WebSocketClient.open(port, { path: random.pick(paths), ...options });
  try {
    const sent = random.between(1, 60);
    for (let count = 1; count < sent; count += 1) socket.write(webSocketInput(random));
    const last = webSocketInput(random);
    if (random.percent(5)) {
      socket.write(last.subarray(0, random.below(last.length)));
      return { sent, code: undefined };
    }
    socket.write(last);
    try {
      await socket.pingPong(20_000);
    } catch (error) {
      if (!socket.isClosed) throw error;
    }
    if (!socket.isClosed) return { sent, code: undefined };
    const { code, reset } = await socket.closed;
    if (code === undefined && !reset) throw new Error('closed without a code');
    return { sent, code };
  } finally {
    socket.destroy();
  }
}

test(
  `${inputs} hostile messages and frames at /apievents and /x/events (seed ${seed}): a pong or a close code`,
  async () => {
    const scanner = await new ScannerFolder().start([], { env });
    const port = Number(scanner.httpPort);
    const health = new Health(scanner);
    const witness = scanner.client({ keepAlive: true });
    expect(await witness.value('DeviceStatus')).toBe(3);
    const files = health.openFiles;
    const counts = new Map<number | undefined, number>();
    const end = performance.now() + seconds * 1000;
    let sent = 0;

    async function keepSending(client: number): Promise<void> {
      for (let number = 0; sent < inputs && performance.now() < end; number += 1) {
        const name = `${seed}/${client}/${number}`;
        try {
          const outcome = await sendInputs(port, new SeededRandom(name));
          sent += outcome.sent;
          const code = isCodeOfClient(outcome.code) ? 3000 : outcome.code;
          counts.set(code, (counts.get(code) ?? 0) + 1);
          expect(codes).toContain(code);
          if (number % 10 === 0) expect(await witness.value('DeviceStatus')).toBe(3);
          if (client === 0 && number % 10 === 0) health.check();
        } catch (error) {
          throw new Error(`${again}: connection ${name}\n${scanner.log.slice(-2000)}`, { cause: error });
        }
      }
    }

    await Promise.all(Array.from({ length: clients }, (_, index) => keepSending(index)));
    health.check();
    console.log(`${again}: ${sent} inputs, close codes ${JSON.stringify([...counts])}`);
    console.log(`memory ${health.memory.slice(-10).map(Math.round).join(' ')} MB`);
    // The run proves nothing unless some connections were closed for protocol errors and some stayed open.
    for (const code of [1002, 1009, undefined])
      expect(counts.get(code), `${again} ${code}`).toBeGreaterThan(3);
    await until(() => health.openFiles <= files + 2);
    expect(health.growth, `${again} ${health.memory.map(Math.round).join(' ')}`).toBeLessThan(mostGrowth);
    witness.close();

    const subscriber = await Subscriber.connect(port);
    await subscriber.follow('CurrentTempDev');
    const all = await openSocket(port, { path: '/x/events' });
    await scanner.setTemperature(41);
    expect(await subscriber.push('CurrentTempDev')).toEqual({ CurrentTempDev: 41 });
    expect(object(await all.nextJson()).changed).toEqual({ CurrentTempDev: 41 });
  },
  seconds * 1000 + 120_000,
);
