import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject } from '@azimuth/model';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LineWriter } from '../src/serve/line-writer.js';
import { isJournal, logOn } from '../src/serve/log.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'azimuth-log-'));
  path = join(folder, 'log');
});
afterEach(() => rmSync(folder, { recursive: true }));

function wire(mostWaiting = 64 * 1024): LineWriter {
  return new LineWriter({ fd: openSync(path, 'w'), mostWaiting });
}

const written = () => readFileSync(path, 'utf8');

test('no fact replaces the members of a log line', async () => {
  const log = logOn(wire(), 'json');
  log.warn('A login failed', { level: 'Service', msg: 'mine', time: 0, endpoint: 'X' });
  await log.close();
  const keys = [...written().matchAll(/"(\w+)":/g)].map(([, key]) => key);
  expect(keys).toEqual(['level', 'time', 'level_', 'msg_', 'time_', 'endpoint', 'msg']);
  const line: unknown = JSON.parse(written());
  expect(line).toMatchObject({ level: 40, level_: 'Service', msg: 'A login failed', msg_: 'mine', time_: 0 });
  expect(isObject(line) && line.time).toMatch(/^\d{4}-\d\d-\d\dT/);
});

test('a line of text has time, severity, message and facts', async () => {
  const log = logOn(wire(), 'lines');
  log.error('It broke', { reason: 'no "space"' });
  log.info('It goes on');
  await log.close();
  expect(written()).toMatch(/^\S+Z ERROR It broke reason="no \\"space\\""\n\S+Z INFO It goes on\n$/);
});

test('dropped lines are counted, and reported when the waiting lines are written', async () => {
  // Room for the report and a short line, but not while the first line is being written.
  const log = logOn(wire(130), 'lines');
  log.info('a first line, which takes up the room');
  for (const more of [1, 2, 3]) log.info('a line that is too long', { more, text: 'x'.repeat(100) });
  log.info('short, but behind lines that are missing');
  await expect.poll(written).toContain('missing');
  log.info('short');
  await log.close();
  expect(written().replaceAll(/^\S+Z /gm, '')).toBe(
    [
      'INFO a first line, which takes up the room',
      'WARN Log lines are missing: nobody read them in time lines=4',
      'INFO short',
      '',
    ].join('\n'),
  );
});

test('logging after the end does nothing and throws no error', async () => {
  const log = logOn(wire(), 'lines');
  await log.close();
  log.info('too late');
  await log.close();
  expect(written()).toBe('');
});

test('if nothing can be written, no error is thrown, and the end does not wait', async () => {
  const log = logOn(new LineWriter({ fd: openSync(folder, 'r'), mostWaiting: 1000 }), 'json');
  expect(() => log.info('nowhere')).not.toThrow();
  await expect(log.close()).resolves.toBeUndefined();
  expect(() => log.info('nowhere')).not.toThrow();
});

test('in the journal, each line begins with its level, and has no second time', async () => {
  const log = logOn(wire(), 'lines', true);
  log.info('It goes on', { gate: 3 });
  log.warn('It is slow');
  log.error('It broke');
  await log.close();
  expect(written()).toBe('<6>It goes on gate=3\n<4>It is slow\n<3>It broke\n');
});

test('in the journal, a JSON line has its level in front', async () => {
  const log = logOn(wire(), 'json', true);
  log.warn('It is slow');
  await log.close();
  expect(written()).toMatch(/^<4>\{"level":40,"time":"\S+Z","msg":"It is slow"\}\n$/);
});

test('the journal reads a file if systemd names its device and inode', () => {
  const fd = openSync(path, 'w');
  const { dev, ino } = fstatSync(fd);
  expect(isJournal(fd, `${dev}:${ino}`)).toBe(true);
  expect(isJournal(fd, `${dev}:${ino + 1}`)).toBe(false);
  expect(isJournal(fd, undefined)).toBe(false);
  closeSync(fd);
});
