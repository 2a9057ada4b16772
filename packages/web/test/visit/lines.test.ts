import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ChangeHistory } from '../../src/connection/history.js';
import { azimuthLines, commentOn, curlLines, shellWord } from '../../src/visit/commands.js';

const url = 'http://127.0.0.1:8080';

function history(level?: 'Maintenance' | 'AuthorizedClient' | 'Service') {
  return new ChangeHistory(() => ({ url, level }));
}

test('a write is repeated by azimuth set, in quotes if a shell would take the value apart', () => {
  const done = history();
  done.written('AutoStartMeasure', true, false);
  done.written('LocationName', '', "Gate 3's left");
  done.written('DHCPRetries', 5, -1);
  done.written('fields', {}, { groups: [] });
  expect(azimuthLines(done.changes.value)).toEqual([
    `azimuth set AutoStartMeasure false --device ${url}`,
    `azimuth set LocationName '"Gate 3'\\''s left"' --device ${url}`,
    `azimuth set DHCPRetries --device ${url} -- -1`,
    `azimuth set x/fields '{"groups":[]}' --device ${url}`,
  ]);
});

test('a call is repeated by azimuth call, at the level of the login, and waits for a reboot', () => {
  const done = history('AuthorizedClient');
  done.called('FindMe', { uiDuration: 5 });
  done.called('RebootDevice', undefined);
  expect(azimuthLines(done.changes.value)).toEqual([
    `azimuth call FindMe '{"uiDuration":5}' --device ${url} --user AuthorizedClient`,
    `azimuth call RebootDevice --wait --device ${url} --user AuthorizedClient`,
  ]);
});

test('a call that loses data is repeated without a question: a script has nobody to ask', () => {
  const done = history('Service');
  done.called('LoadFactoryDefaults', undefined);
  expect(azimuthLines(done.changes.value)).toEqual([
    `azimuth call LoadFactoryDefaults --yes --device ${url}`,
  ]);
});

test.each([
  'setCertificateBundle',
  'changePassword',
  'SetPassword',
  'CreateParameterBackup',
  'RestoreParameterBackup',
  'RunFirmwareUpdate',
])('%s keeps nothing of its request, and a comment says how to repeat it', (method) => {
  const done = history();
  done.called(method, { content: 'secret' });
  const { value } = done.changes;
  expect(JSON.stringify(value)).not.toContain('secret');
  for (const lines of [azimuthLines(value), curlLines(value)]) expect(lines).toContain(commentOn(method));
});

test('a curl script names scanner and level where they change', () => {
  const contexts = [
    { url, level: 'Service' },
    { url, level: 'Service' },
    { url: 'http://127.0.0.5:8080', level: 'Maintenance' },
  ] as const;
  let index = 0;
  const done = new ChangeHistory(() => contexts[index++] ?? { url, level: undefined });
  done.written('LocationName', '', 'Gate 3');
  done.called('WriteEeprom', undefined);
  done.called('FindMe', { uiDuration: 5 });
  const lines = curlLines(done.changes.value);
  expect(lines.slice(lines.indexOf('') + 1)).toEqual([
    `S=${url}`,
    'LEVEL=Service',
    `post LocationName '{"LocationName":"Gate 3"}'`,
    `post WriteEeprom '{}'`,
    'S=http://127.0.0.5:8080',
    'LEVEL=Maintenance',
    `post FindMe '{"uiDuration":5}'`,
  ]);
  expect(curlLines([])).toEqual([]);
});

test('a shell reads each text as the one word that it was', () => {
  const words = [
    'plain',
    '',
    "it's",
    '"quoted"',
    '$HOME `x` $(y)',
    'a\\b',
    '!!',
    '* ? [a]',
    '# no comment',
    'Tür 3',
    '-5',
    '~',
  ];
  for (const word of words) {
    const read = execFileSync('sh', ['-c', `printf '%s' ${shellWord(word)}`], { encoding: 'utf8' });
    expect(read).toBe(word);
  }
});

test('the oldest changes are forgotten', () => {
  const done = history();
  for (let index = 0; index < 600; index++) done.written('LocationName', '', String(index));
  expect(done.changes.value).toHaveLength(500);
  expect(done.changes.value[0]).toMatchObject({ after: '100' });
});
