import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allMethods } from '@azimuth/model';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CommandFailure } from '../../src/command-failure.js';
import { callsForSecrets, questionOf } from '../../src/mcp/confirmation.js';

test.each([
  [['call', '--json', '--yes', '--', 'LoadFactoryDefaults'], 'all passwords'],
  [['reboot', '--json', '--yes', '--discard'], 'all changes that are not stored'],
  [['reboot', '--json', '--yes'], undefined],
  [['set', '--json', '--yes', '--', 'LocationName', 'LoadFactoryDefaults'], undefined],
  [['call', '--json', '--yes', '--', 'WriteEeprom', 'LoadFactoryDefaults'], undefined],
] as const)('the question about %j says what is lost for good', async (words, loss) => {
  const question = await questionOf(words);
  expect(question).toContain(`azimuth ${words.join(' ')}`);
  if (loss === undefined) expect(question).not.toContain('for good');
  else expect(question).toMatch(new RegExp(`Loses .*${loss}.*, for good`));
});

test('the question says for which scanners a name stands', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-mcp-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'devices.yaml');
  const yaml = `
devices:
  gate1: { url: 'http://10.0.0.1' }
  gate2: { url: 'http://10.0.0.2' }
groups:
  hall: [gate1, gate2]
`;
  writeFileSync(path, yaml);
  vi.stubEnv('AZIMUTH_DEVICES', path);
  const asked = (device: string) => questionOf(['save', '--json', `--device=${device}`]);
  expect(await asked('@hall')).toContain('It is sent to: 2 scanners (gate1, gate2)');
  expect(await asked('@gate2')).toContain('It is sent to: http://10.0.0.2');
  expect(await asked('http://10.0.0.3')).not.toContain('It is sent to');
  await expect(asked('@gate3')).rejects.toThrow(CommandFailure);
});

test('each method with a secret is one that an assistant does not call', () => {
  const named = (...words: string[]) => callsForSecrets(['call', '--json', '--yes', '--', ...words]);
  const secret = allMethods.filter(({ holdsSecrets }) => holdsSecrets).map(({ name }) => name);
  expect(secret).toEqual(
    expect.arrayContaining(['CreateSessionToken', 'CreateParameterBackup', 'getChallenge']),
  );
  for (const name of secret) expect([name, named(name)]).toEqual([name, true]);
  expect(named('changeUserLevelPassword')).toBe(true);
  expect(named('ofACore', 'Passphrase=x')).toBe(true);
  expect(named('WriteEeprom')).toBe(false);
  expect(callsForSecrets(['set', '--json', '--', 'LocationName', 'token'])).toBe(false);
});
