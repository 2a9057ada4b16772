import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { mostNames, mostUnsentBytes, mostWaitingBytes } from '../../src/foxglove/limits.js';
import { Viewer, type ViewerHooks, type ViewerSocket } from '../../src/foxglove/viewer.js';

/** A socket whose other side reads when the test says so. */
class SlowSocket extends EventEmitter implements ViewerSocket {
  readonly protocol = 'foxglove.sdk.v1';
  readonly sent: (string | Uint8Array)[] = [];
  readonly closed: [number, string][] = [];
  bufferedAmount = 0;
  readonly #written: (() => void)[] = [];

  send(data: string | Uint8Array, _options: object, written: () => void): void {
    this.sent.push(data);
    this.bufferedAmount += data.length;
    this.#written.push(written);
  }

  /** The other side reads all. */
  read(): void {
    this.bufferedAmount = 0;
    for (const written of this.#written.splice(0)) written();
  }

  close(code: number, reason: string): void {
    this.closed.push([code, reason]);
  }

  ping(): void {}
  terminate(): void {}
}

const keptChannel = 9;

function viewerWith(received: (op: string) => boolean = () => true) {
  const socket = new SlowSocket();
  const wrong: string[] = [];
  const hooks: ViewerHooks = {
    keeps: (channel) => channel === keptChannel,
    received: (_, { op }) => received(op),
    subscribed: () => undefined,
    wrong: (_, why) => wrong.push(why),
    closed: () => undefined,
  };
  const viewer = new Viewer('127.0.0.1:1', socket, hooks);
  const says = (message: unknown) => socket.emit('message', Buffer.from(JSON.stringify(message)), false);
  return { viewer, socket, wrong, says };
}

/** Data of a subscription: opcode, number, time, then a byte that tells the messages apart. */
function data(subscription: number, mark: number, bytes = 14): Uint8Array {
  const message = new Uint8Array(bytes);
  message[0] = 1;
  new DataView(message.buffer).setUint32(1, subscription, true);
  message[13] = mark;
  return message;
}

const marksOf = (sent: readonly (string | Uint8Array)[]) =>
  sent.map((message) => (typeof message === 'string' ? message : message[13]));

describe('a viewer', () => {
  it('that reads gets everything at once, in order', () => {
    const { viewer, socket } = viewerWith();
    viewer.send('a');
    viewer.send(data(1, 1));
    viewer.send(data(1, 2));
    expect(marksOf(socket.sent)).toEqual(['a', 1, 2]);
    expect(viewer.dropped).toBe(0);
  });

  it('that reads slowly gets the newest of each subscription in turn, after what must not get lost', () => {
    const { viewer, socket, says } = viewerWith();
    says({ op: 'subscribe', subscriptions: [{ id: 3, channelId: keptChannel }] });
    viewer.send(data(1, 0, mostUnsentBytes));
    for (let mark = 1; mark <= 5; mark++) {
      viewer.send(data(1, mark));
      viewer.send(data(2, 10 + mark));
      viewer.send(data(3, 20 + mark));
    }
    viewer.send('parameters');
    expect(socket.sent).toHaveLength(1);
    socket.read();
    expect(marksOf(socket.sent.slice(1))).toEqual([21, 22, 23, 24, 25, 'parameters', 5, 15]);
    expect(viewer.dropped).toBe(8);
    expect(viewer.waitingBytes).toBe(0);
  });

  it('that never reads holds bounded memory, and is disconnected when what must not get lost is too much', () => {
    const { viewer, socket } = viewerWith();
    viewer.send(data(1, 0, mostUnsentBytes));
    for (let mark = 0; mark < 200; mark++) viewer.send(data(1, mark, 10_000));
    expect(viewer.waitingBytes).toBe(10_000);
    const text = 'x'.repeat(mostWaitingBytes / 4);
    for (let count = 0; count < 4; count++) viewer.send(text);
    expect(socket.closed).toEqual([]);
    viewer.send('one more');
    expect(socket.closed).toEqual([[1013, expect.stringContaining('too slowly')]]);
    expect(viewer.waitingBytes).toBe(0);
    viewer.send(text);
    expect(viewer.waitingBytes).toBe(0);
  });

  it('forgets what waits for a subscription that has ended', () => {
    const { viewer, socket, says } = viewerWith();
    viewer.send(data(1, 0, mostUnsentBytes));
    viewer.send(data(2, 1));
    says({ op: 'unsubscribe', subscriptionIds: [2] });
    socket.read();
    expect(socket.sent).toHaveLength(1);
  });

  it('follows a bounded number of parameters', () => {
    const { viewer, wrong, says } = viewerWith();
    const names = (from: number) => Array.from({ length: mostNames - 1 }, (_, index) => `p${from + index}`);
    says({ op: 'subscribeParameterUpdates', parameterNames: names(0) });
    expect(wrong).toEqual([]);
    says({ op: 'subscribeParameterUpdates', parameterNames: names(mostNames) });
    expect(wrong).toEqual([expect.stringContaining('at most')]);
    expect(viewer.parameterNames.size).toBe(mostNames);
  });

  it('hands on only what the rules of the protocol and the bridge allow', () => {
    const { viewer, wrong, says } = viewerWith((op) => op !== 'subscribeConnectionGraph');
    const seen: string[] = [];
    viewer.onmessage = ({ data: text }) => seen.push(text);
    says({ op: 'subscribeConnectionGraph' });
    says({ op: 'fetchAsset', uri: 'file:///etc/passwd', requestId: 1 });
    says({ op: 'getParameters', parameterNames: ['a'], id: '1' });
    expect(seen).toEqual(['{"op":"getParameters","parameterNames":["a"],"id":"1"}']);
    expect(wrong).toEqual(['op: expected an operation that this server offers, got "fetchAsset"']);
  });
});
