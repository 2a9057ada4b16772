import { frameText } from '@azimuth/telegrams/legacy';
import { expect, test } from 'vitest';
import { eventDialogue, legacyDialogue } from '../../src/session/dialogues.js';
import { type Dialogue, RecordedConnections } from '../../src/session/recorded-connections.js';
import type { Direction } from '../../src/timeline/index.js';

type Line = readonly [at: number, from: '>' | '<', text: string];

/** Returns what follows a message, as texts. Times in ms. */
function following<M>(
  lines: readonly Line[],
  dialogue: Dialogue<M>,
  as: (text: string) => M,
  text: (message: M) => string,
) {
  const messages = lines.map(([at, from, message]) => {
    const direction: Direction = from === '>' ? 'to scanner' : 'from scanner';
    return { at: at * 1000, connection: 1, direction, message: as(message) };
  });
  const sent = new RecordedConnections([{ connection: 1, opened: 0, closed: undefined }], messages, dialogue);
  const shown = (all: readonly { readonly delay: number; readonly message: M }[] = []) =>
    all.map(({ delay, message }) => `${delay} ${text(message)}`);
  return {
    next: (message: string) => shown(sent.next(dialogue.requestIn(as(message)).key)),
    opening: () => shown(sent.nextConnection()?.opening),
  };
}

const legacy = (...lines: readonly Line[]) =>
  following(lines, legacyDialogue, frameText, (frame) => Buffer.from(frame.subarray(1, -1)).toString());

test('a message that is nested too deeply is a text as any other', () => {
  const deep = `{"type":"register","event":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  expect(eventDialogue.requestIn(deep)).toMatchObject({ key: deep, topic: deep });
});

test('a legacy request gets its answer, and a subscription its events, also between others', () => {
  const { next, opening } = legacy(
    [1, '<', 'sSN Early'],
    [10, '>', 'sEN LMDscandata 1'],
    [11, '>', 'sRN A'],
    [12, '>', 'sRN B'],
    [13, '<', 'sEA LMDscandata 1'],
    [15, '<', 'sRA A 1'],
    [16, '<', 'sFA 3'],
    [20, '<', 'sSN LMDscandata x'],
    [21, '>', 'sRN A'],
    [22, '<', 'sRA A 2'],
    [30, '<', 'sSN LMDscandata y'],
  );
  expect(opening()).toEqual(['1 sSN Early']);
  expect(next('sEN LMDscandata 1')).toEqual([
    '3 sEA LMDscandata 1',
    '10 sSN LMDscandata x',
    '20 sSN LMDscandata y',
  ]);
  expect([next('sRN A'), next('sRN A'), next('sRN A'), next('sRN B')]).toEqual([
    ['4 sRA A 1'],
    ['1 sRA A 2'],
    ['1 sRA A 2'],
    ['4 sFA 3'],
  ]);
});

test('two requests that are sent at once get an answer each', () => {
  const { next } = legacy([1, '>', 'sRN A'], [1, '>', 'sRN A'], [2, '<', 'sRA A 1'], [3, '<', 'sRA A 2']);
  expect([next('sRN A'), next('sRN A')]).toEqual([['1 sRA A 1'], ['2 sRA A 2']]);
});

test('events follow their own registration, until it ends', () => {
  const register = (id: number) => `{"type":"register","event":"E","clientId":${id}}`;
  const event = (id: number, value: number) =>
    `{"type":"event","event":"E","clientId":${id},"data":${value}}`;
  const { next, opening } = following<string | Uint8Array>(
    [
      [1, '>', register(1)],
      [2, '>', register(2)],
      [3, '<', register(1)],
      [4, '<', register(2)],
      [5, '<', event(2, 5)],
      [6, '<', event(1, 6)],
      [7, '<', '{"changes":{}}'],
    ],
    eventDialogue,
    (text) => text,
    String,
  );
  expect(next('{"event":"E","type":"register","clientId":1}')).toEqual([
    `2 ${register(1)}`,
    `5 ${event(1, 6)}`,
  ]);
  expect(next(register(2))).toEqual([`2 ${register(2)}`, `3 ${event(2, 5)}`]);
  expect(opening()).toEqual(['7 {"changes":{}}']);
});
