import { events } from '@azimuth/test-support/event-names';
import type { SeededRandom } from '@azimuth/test-support/seeded-random';
import { closePayload, encodeFrame, opcode } from '@azimuth/test-support/web-socket-frame';

const { text, binary, continuation, close, ping, pong } = opcode;

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
      { queue: { maxSize: random.pick([-1, 0, 1, 1000, 1001, 2 ** 53, 0.5, '7']) } },
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

function hostileText(random: SeededRandom): Buffer | string {
  switch (random.below(5)) {
    case 0:
      return '['.repeat(random.between(1, 60_000));
    case 1:
      return `{"type":"register","event":"${'x'.repeat(random.between(90, 60_000))}","clientId":1}`;
    case 2:
      return `{"__proto__":{"type":"register"},"constructor":${random.below(9)},"type":"toString"}`;
    case 3:
      return Buffer.concat([
        Buffer.from('{"type":"'),
        random.bytes(random.between(1, 20)),
        Buffer.from('"}'),
      ]);
    default:
      return `{"type":"register","event":"DeviceStatus","clientId":${'9'.repeat(random.between(1, 400))}}`;
  }
}

/** A text message in fragments, sometimes with a ping between them or without an end. */
function fragments(random: SeededRandom): Buffer {
  const message = Buffer.from(nearlyValid(random));
  const count = random.between(2, 20);
  const size = Math.ceil(message.length / count);
  const frames = Array.from({ length: count }, (_, index) =>
    encodeFrame({
      opcode: index === 0 || random.percent(2) ? text : continuation,
      payload: message.subarray(index * size, (index + 1) * size),
      fin: index === count - 1 && random.percent(95),
      mask: random.bytes(4),
    }),
  );
  if (random.percent(30)) frames.splice(1, 0, encodeFrame({ opcode: ping, mask: random.bytes(4) }));
  return Buffer.concat(frames);
}

/** One input: a frame, or the frames of one message. */
export function webSocketInput(random: SeededRandom): Buffer {
  const mask = random.bytes(4);
  const kind = random.below(100);
  if (kind < 72) {
    return encodeFrame({ opcode: random.percent(97) ? text : binary, payload: nearlyValid(random), mask });
  }
  if (kind < 78) return encodeFrame({ opcode: text, payload: hostileText(random), mask });
  if (kind < 84) return fragments(random);
  if (kind < 87) {
    return encodeFrame({
      opcode: random.pick([ping, pong]),
      payload: random.bytes(random.below(126)),
      mask,
    });
  }
  if (kind < 89) {
    const payload = closePayload(random.pick([0, 999, 1000, 1004, 1005, 1006, 1015, 3000, 4999, 65_535]));
    return encodeFrame({ opcode: close, payload: payload.subarray(0, random.between(0, 2)), mask });
  }
  // With RSV1, random bytes are a message that claims to be compressed.
  if (kind < 92) {
    return encodeFrame({ opcode: text, payload: random.bytes(random.between(1, 300)), reserved: 4, mask });
  }
  // A length above the limit of a message.
  if (kind < 93) {
    return encodeFrame({ opcode: text, length: 2n ** BigInt(random.between(17, 63)), mask });
  }
  return encodeFrame({
    opcode: random.below(16),
    payload: random.bytes(random.pick([0, 1, 2, 20, 125, 126, 300])),
    fin: random.percent(80),
    reserved: random.percent(70) ? 0 : random.below(8),
    mask: random.percent(90) ? mask : null,
  });
}
