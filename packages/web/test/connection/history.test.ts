import { expect, test } from 'vitest';
import { ChangeHistory, commandOf } from '../../src/connection/history.js';

const url = 'http://127.0.0.1:8080';

function commandsOf(history: ChangeHistory): readonly (string | undefined)[] {
  return history.changes.value.map((change) => commandOf(change, url));
}

test('a write is repeated by azimuth set, in quotes if a shell would take the value apart', () => {
  const history = new ChangeHistory();
  history.written('AutoStartMeasure', true, false);
  history.written('LocationName', '', "Gate 3's left");
  expect(commandsOf(history)).toEqual([
    `azimuth set AutoStartMeasure false --device ${url}`,
    `azimuth set LocationName '"Gate 3'\\''s left"' --device ${url}`,
  ]);
});

test('a call is repeated by azimuth call', () => {
  const history = new ChangeHistory();
  history.called('FindMe', { uiDuration: 5 });
  expect(commandsOf(history)).toEqual([`azimuth call FindMe '{"uiDuration":5}' --device ${url}`]);
});

test('a call with a secret keeps nothing of it and gives no command', () => {
  const history = new ChangeHistory();
  history.called('setCertificateBundle', { contentPrivateKey: 'secret' });
  expect(JSON.stringify(history.changes.value)).not.toContain('secret');
  expect(commandsOf(history)).toEqual([undefined]);
});

test('the oldest changes are forgotten', () => {
  const history = new ChangeHistory();
  for (let index = 0; index < 600; index++) history.written('LocationName', '', String(index));
  expect(history.changes.value).toHaveLength(500);
  expect(history.changes.value[0]).toMatchObject({ after: '100' });
});
