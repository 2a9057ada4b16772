import type { Outgoing, StreamFigures } from '@azimuth/bridge/streams';
import { expect, test } from 'vitest';
import { RelayView } from '../../src/relay/relay-view.js';

const losses = { telegrams: 0, frames: 0, restarts: 0, outOfOrder: 0, damaged: 0 };

function startView() {
  const printed: [object, string][] = [];
  const view = new RelayView((json, line) => printed.push([json, line]));
  let figures: StreamFigures = { telegrams: 0, bytes: 0, unseen: 0, losses };
  const tally = { sent: 0, bytes: 0, lost: {} };
  const udp: Outgoing = {
    url: 'udp://127.0.0.1:3000',
    clients: undefined,
    sender: undefined,
    tally,
    send: () => undefined,
    close: () => Promise.resolve(),
  };
  const summed = {
    streams: {
      get figures() {
        return figures;
      },
    },
    outgoing: [udp],
  };
  view.begin(summed, true);
  const pass = (telegrams: number, lost: object) => {
    figures = { ...figures, telegrams: figures.telegrams + telegrams, bytes: 1_200_000 };
    tally.sent += telegrams;
    tally.lost = lost;
  };
  return { view, printed, pass, lines: () => printed.map(([, line]) => line) };
}

test('sums up telegrams, and is silent after a second without any', async () => {
  const { view, pass, lines } = startView();
  pass(250, {});
  view.sum();
  pass(3, { slow: 2 });
  for (const _ of [1, 2, 3]) view.sum();
  expect(lines()).toEqual([
    '250 telegrams  1.20 MB  lost 0  ->  udp://127.0.0.1:3000 250',
    '3 telegrams  0.00 MB  lost 0  ->  udp://127.0.0.1:3000 3 lost 2 slow',
    '0 telegrams  0.00 MB  lost 0  ->  udp://127.0.0.1:3000 0',
  ]);
  await view.end();
});

test('shows up to 256 kinds of findings in a second, and the number of others', async () => {
  const { view, lines } = startView();
  for (let port = 1; port <= 300; port++) {
    const of = `datagram of 9 bytes from 10.0.0.1:${port}`;
    view.follow({ kind: 'finding', at: 1e15, of, where: 'byte 0', expected: 'a telegram', came: 'another' });
  }
  expect(lines()).toHaveLength(256);
  view.sum();
  expect(lines()[256]).toBe('44 more findings and faults of other kinds');
  await view.end();
});

test('shows a fault of each kind once a second, with the number of further ones', async () => {
  const { view, printed, lines } = startView();
  const fault = { kind: 'fault', at: 1e15, fault: 'stream-loss', on: 'scan telegram' } as const;
  for (const _ of [1, 2, 3]) view.follow(fault);
  view.sum();
  expect(lines().slice(0, 2)).toEqual([
    'fault  stream-loss on scan telegram',
    'fault  stream-loss on scan telegram  (2 more times)',
  ]);
  expect(printed[1]?.[0]).toEqual({ ...fault, times: 2 });
  await view.end();
});

test('shows a request and its response in one line, without their bodies', async () => {
  const { view, printed, lines } = startView();
  const body = Buffer.from('{"secret":1}');
  view.follow({ kind: 'request', id: 1, at: 1e15, method: 'GET', path: '/api/x', headers: [], body });
  view.follow({ kind: 'response', id: 1, at: 1e15 + 1300, status: 200, headers: [], body });
  expect(lines()).toEqual(['GET /api/x  HTTP 200  1.3 ms  12 bytes']);
  expect(JSON.stringify(printed)).not.toContain('secret');
  await view.end();
});
