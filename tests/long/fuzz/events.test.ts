import { expect, it } from 'vitest';
import { events } from '../../support/event-names.js';
import { Health } from '../../support/health.js';
import { ProcessBench } from '../../support/scanner-process.js';
import { SeededRandom } from '../../support/seeded-random.js';
import { Subscriber } from '../../support/subscriber.js';
import { WebSocketClient, type WebSocketOptions } from '../../support/web-socket.js';
import { encodeFrame, opcode } from '../../support/web-socket-frame.js';

const deflating: WebSocketOptions = { extensions: 'permessage-deflate' };
const { text, binary } = opcode;
const seed = process.env.AZIMUTH_FUZZ_SEED ?? 'frames';
const count = 10_000;
const clients = 8;

/** A message that is valid but for one or two members or characters. */
function nearlyValid(random: SeededRandom): string {
  const message: Record<string, unknown> = {
    type: random.pick(['register', 'register', 'deregister', 'event', '', 5]),
    event: random.pick([...events, 'X', '', null, 1e9]),
    clientId: random.pick([0, 1, 2, -1, 2 ** 53, '1', null]),
    options: random.pick([
      null,
      {},
      { throttle: { minOutputIntervalMs: random.below(1000) } },
      { queue: 7 },
      [],
    ]),
  };
  if (random.percent(10)) delete message[random.pick(Object.keys(message))];
  const json = JSON.stringify(message);
  if (random.percent(80)) return json;
  const place = random.below(json.length);
  return (
    json.slice(0, place) + String.fromCharCode(random.below(0x300)) + json.slice(place + random.below(3))
  );
}

function randomFrame(random: SeededRandom): Buffer {
  if (random.percent(85)) {
    const payload = nearlyValid(random);
    return encodeFrame({ opcode: random.percent(97) ? text : binary, payload, mask: random.bytes(4) });
  }
  return encodeFrame({
    opcode: random.below(16),
    payload: random.bytes(random.pick([0, 1, 2, 20, 125, 126, 300])),
    fin: random.percent(80),
    reserved: random.percent(70) ? 0 : random.below(8),
    mask: random.percent(90) ? random.bytes(4) : null,
  });
}

/** Sends some frames. Returns how many, and the code if the scanner has closed the connection. */
async function sendFrames(
  port: number,
  random: SeededRandom,
): Promise<{ frames: number; code: number | undefined }> {
  const socket = await WebSocketClient.open(port, random.percent(50) ? deflating : {});
  try {
    const frames = random.between(1, 60);
    for (let sent = 0; sent < frames; sent += 1) socket.write(randomFrame(random));
    try {
      await socket.pingPong(10_000);
    } catch (error) {
      if (!socket.isClosed) throw error;
    }
    if (!socket.isClosed) return { frames, code: undefined };
    const { code, reset } = await socket.closed;
    // A reset loses the close code.
    if (code === undefined && !reset) throw new Error('closed without a code');
    return { frames, code };
  } finally {
    socket.destroy();
  }
}

it(`${count} random frames (AZIMUTH_FUZZ_SEED=${seed}): each gets a reply or a close code, and the scanner goes on`, async () => {
  const scanner = await new ProcessBench().start([], { env: { NODE_OPTIONS: '--max-old-space-size=128' } });
  const target = Number(scanner.httpPort);
  const health = new Health(scanner);
  const witness = scanner.client({ keepAlive: true });
  expect(await witness.value('DeviceStatus')).toBe(3);
  const files = health.openFiles;
  const codes = new Map<number | undefined, number>();
  let left = count;
  await Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      const random = new SeededRandom(`${seed} ${index}`);
      while (left > 0) {
        const { frames, code } = await sendFrames(target, random);
        left -= frames;
        codes.set(code, (codes.get(code) ?? 0) + 1);
        expect(await witness.value('DeviceStatus')).toBe(3);
        health.check();
      }
    }),
  );
  expect([1000, 1001, 1002, 1003, 1005, 1007, 1008, 1009, undefined]).toEqual(
    expect.arrayContaining([...codes.keys()]),
  );
  // The run proves nothing unless some connections were closed for protocol errors and some stayed open.
  for (const code of [1002, undefined]) expect(codes.get(code), `${code}`).toBeGreaterThan(3);
  await expect.poll(() => health.openFiles, { timeout: 5000 }).toBeLessThanOrEqual(files + 2);
  witness.close();
  const subscriber = await Subscriber.connect(target);
  await subscriber.follow('DeviceStatus');
});
