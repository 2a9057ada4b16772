import { createServer } from 'node:http';
import { listening } from '@azimuth/test-support/listening';
import { expect, test } from 'vitest';
import { azimuth } from '../run.js';

/** The port of a fleet with this response to every power command. */
async function fleetThatAnswers(json: object): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.end(JSON.stringify(json));
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

/** Returns the output of a command for this response of the fleet. */
async function told(json: object, ...words: readonly string[]) {
  return azimuth('fleet', ...words, '--fleet', await fleetThatAnswers(json));
}

const none: readonly object[] = [];

test.each([
  ['start', '*', 9, 2, '2 scanners were switched on.'],
  ['start', '*', 9, 1, '1 scanner was switched on.'],
  ['start', '*', 9, 0, 'None was off.'],
  ['start', '7', 1, 0, 'The scanner was on already.'],
  ['stop', '*', 9, 0, 'None was on.'],
  ['stop', '7', 1, 0, 'The scanner was off already.'],
  ['stop', '7', 1, 1, '1 scanner was switched off.'],
  ['power-cycle', '*', 9, 9, '9 scanners were switched off and on.'],
  ['power-cycle', '*', 9, 0, 'No scanner was switched off and on.'],
])('%s %s of %i scanners, of which %i change: %s', async (command, pattern, scanners, changed, line) => {
  expect(await told({ scanners, changed, failed: none, states: {} }, command, pattern)).toEqual({
    stdout: `${line}\n`,
    stderr: '',
    exitCode: 0,
  });
});

const failed = [
  { serialNumber: '7', reason: 'port 8103 is taken' },
  { serialNumber: '8', reason: 'its folder\ncannot be read' },
];

test('those that fail are named with their reasons, behind what was done', async () => {
  expect(await told({ scanners: 9, changed: 7, failed }, 'start', '*')).toEqual({
    stdout: '7 scanners were switched on.\n',
    stderr: [
      'azimuth: 7: port 8103 is taken',
      'azimuth: 8: its folder cannot be read',
      'azimuth: 2 of 9 scanners failed',
      '',
    ].join('\n'),
    exitCode: 1,
  });
});

test('if the only one fails, nothing is said to be done', async () => {
  const answer = { scanners: 1, changed: 0, failed: failed.slice(0, 1) };
  expect(await told(answer, 'start', '7')).toEqual({
    stdout: '',
    stderr: 'azimuth: 7: port 8103 is taken\n',
    exitCode: 1,
  });
});

test('as JSON, the answer is one object, and each failure another one on stderr', async () => {
  const { stdout, stderr, exitCode } = await told({ scanners: 9, changed: 7, failed }, 'stop', '*', '--json');
  expect(JSON.parse(stdout)).toEqual({ scanners: 9, changed: 7, failed, power: 'off' });
  expect(stderr.split('\n')[0]).toBe('{"scanner":"7","error":"port 8103 is taken","exitCode":1}');
  expect(exitCode).toBe(1);
});
