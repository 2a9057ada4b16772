import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Scanner } from '@azimuth/client';
import { describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { canLogIn } from '../../src/scanners/connection.js';
import { azimuth } from '../run.js';
import { calls, type Hall, startHall } from './hall.js';

function generate(hall: Hall, ...more: readonly string[]) {
  const journal = more.includes('--resume') ? [] : ['--journal', hall.at('run.jsonl')];
  return azimuth('password', '@hall/*', 'Service', '--generate', '--health', 'none', ...journal, ...more);
}

const store = (hall: Hall) => ['--store', hall.at('passwords.yaml')];

interface Entry {
  readonly password: string;
  readonly next?: string;
}

function stored(hall: Hall): readonly (Entry | undefined)[] {
  const content = parse(readFileSync(hall.at('passwords.yaml'), 'utf8'));
  return hall.scanners.map((_, index) => content[`hall/gate${index + 1}`]?.Service);
}

/** True for each scanner that the kept password opens. */
function opened(hall: Hall): Promise<boolean[]> {
  return Promise.all(
    hall.scanners.map(({ url }, index) => {
      const password = stored(hall)[index]?.password ?? '';
      return canLogIn(new Scanner({ url, user: 'Service', password }));
    }),
  );
}

describe('azimuth password --generate', () => {
  test('gives each scanner a password of its own, which later commands find', async () => {
    const hall = await startHall(3);
    expect(await generate(hall, ...store(hall), '--devices')).toMatchObject({ stdout: '', exitCode: 0 });
    expect(await opened(hall)).toEqual([true, true, true]);
    const passwords = stored(hall).map((entry) => entry?.password);
    expect(new Set(passwords).size).toBe(3);
    for (const password of passwords) expect(password).toMatch(/^[A-Za-z2-9]{24}$/);
    expect(stored(hall).map((entry) => entry?.next)).toEqual([undefined, undefined, undefined]);
    expect(statSync(hall.at('passwords.yaml')).mode & 0o777).toBe(0o600);
    const journal = readFileSync(hall.at('run.jsonl'), 'utf8');
    for (const password of passwords) expect(journal).not.toContain(password);

    vi.stubEnv('AZIMUTH_PASSWORD', 'of something else');
    expect((await azimuth('save', '@hall/*')).exitCode).toBe(0);
    expect(calls(hall, 'WriteEeprom')).toEqual([1, 1, 1]);
  });

  test('ends at a wrong password, and goes on where it broke off', async () => {
    const hall = await startHall(4, (number) => (number === 3 ? { passwords: { Service: 'other' } } : {}));
    const { stderr, exitCode } = await generate(hall, ...store(hall));
    expect({ stderr, exitCode }).toEqual({
      stderr: expect.stringContaining('2 done, 1 failed (hall/gate3), 1 not begun (hall/gate4)'),
      exitCode: 4,
    });
    expect(stored(hall).slice(2)).toEqual([undefined, undefined]);
    const [first] = stored(hall);
    await hall.scanners[2]?.client.changePassword('Service', 'other', 'servicelevel');
    expect((await generate(hall, ...store(hall), '--resume', hall.at('run.jsonl'))).exitCode).toBe(0);
    expect(await opened(hall)).toEqual([true, true, true, true]);
    expect(stored(hall)[0]).toEqual(first);
  });

  test.each([
    ['before the scanner was sent it', false],
    ['after the scanner had it', true],
  ])('loses no access if it is killed %s', async (_, isSet) => {
    const hall = await startHall(2);
    await generate(hall, ...store(hall));
    // As a killed program leaves it: the step has begun, and both passwords are kept.
    const lines = readFileSync(hall.at('run.jsonl'), 'utf8').split('\n');
    const begun = lines.findIndex((line) => line.includes('"begun"') && line.includes('gate2'));
    writeFileSync(hall.at('run.jsonl'), `${lines.slice(0, begun + 1).join('\n')}\n`);
    const content = parse(readFileSync(hall.at('passwords.yaml'), 'utf8'));
    const now = content['hall/gate2'].Service.password;
    content['hall/gate2'].Service = isSet
      ? { password: 'old', next: now }
      : { password: now, next: 'another' };
    writeFileSync(hall.at('passwords.yaml'), JSON.stringify(content));
    writeFileSync(
      hall.at('devices.yaml'),
      `passwords: passwords.yaml\n${readFileSync(hall.at('devices.yaml'), 'utf8')}`,
    );
    // Every command finds the right one of the two.
    expect((await azimuth('save', '@hall/gate2')).exitCode).toBe(0);
    const { stderr, exitCode } = await generate(hall, ...store(hall), '--resume', hall.at('run.jsonl'));
    expect(exitCode).toBe(0);
    expect(stderr).toContain(isSet ? 'hall/gate2: was done already' : 'hall/gate2: done in');
    expect(await opened(hall)).toEqual([true, true]);
    expect(stored(hall)[1]?.next).toBeUndefined();
  });

  test('gives them to a command that never sees them in its arguments', async () => {
    const hall = await startHall(2);
    const place = `${hall.folder}/$(echo $AZIMUTH_SCANNER | tr / -).$AZIMUTH_LEVEL.$AZIMUTH_STAGE`;
    const commands = ['--store-command', `cat > "${place}"`, '--show-command', `cat "${place}" 2>/dev/null`];
    expect((await generate(hall, ...commands, '--devices')).exitCode).toBe(0);
    const kept = readFileSync(hall.at('hall-gate1.Service.password'), 'utf8').trim();
    expect(kept).toMatch(/^\w{24}$/);
    vi.stubEnv('AZIMUTH_PASSWORD', 'of something else');
    expect((await azimuth('save', '@hall/*')).exitCode).toBe(0);
  });

  test('lets the devices file ask a program that reads AZIMUTH_SCANNER for each scanner', async () => {
    const hall = await startHall(2);
    const program = (name: string, line: string) => {
      const place = `"${hall.folder}/$(echo $AZIMUTH_SCANNER | tr / -).$AZIMUTH_STAGE"`;
      writeFileSync(hall.at(name), `#!/bin/sh\n${line} ${place}\n`, { mode: 0o700 });
      return hall.at(name);
    };
    const commands = ['--store-command', program('keep', 'cat >'), '--show-command', program('show', 'cat')];
    expect((await generate(hall, ...commands, '--devices')).exitCode).toBe(0);
    vi.stubEnv('AZIMUTH_PASSWORD', 'of something else');
    expect(await azimuth('save', '@hall/*')).toMatchObject({ stderr: expect.any(String), exitCode: 0 });
    expect(calls(hall, 'WriteEeprom')).toEqual([1, 1]);
  });

  test('says that the scanner has the password if the command fails after it was set', async () => {
    const hall = await startHall(1);
    const place = `${hall.folder}/$AZIMUTH_STAGE`;
    const show = ['--show-command', `cat "${place}" 2>/dev/null`];
    const keep = `test $AZIMUTH_STAGE = next && cat > "${place}"`;
    const { stderr, exitCode } = await generate(hall, '--store-command', keep, ...show);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('the store command failed (exit code 1). The scanner has the new password');
    expect(calls(hall, 'changePassword')).toEqual([1]);
  });

  test('changes nothing if the command does not keep what it is given', async () => {
    const hall = await startHall(1);
    const commands = ['--store-command', 'cat > /dev/null', '--show-command', 'echo other'];
    expect(await generate(hall, ...commands)).toMatchObject({
      stderr: expect.stringContaining('--show-command does not print what --store-command was given'),
      exitCode: 1,
    });
    expect(
      await canLogIn(
        new Scanner({ url: hall.scanners[0]?.url ?? '', user: 'Service', password: 'servicelevel' }),
      ),
    ).toBe(true);
  });

  test('refuses a file that others can read, before anything is set', async () => {
    const hall = await startHall(1);
    writeFileSync(hall.at('passwords.yaml'), '');
    chmodSync(hall.at('passwords.yaml'), 0o640);
    expect(await generate(hall, ...store(hall))).toMatchObject({
      stderr: expect.stringContaining('others can read or write it: run chmod 600 on it'),
      exitCode: 2,
    });
    expect(calls(hall, 'changePassword')).toEqual([0]);
  });

  test.each([
    [['--generate'], '--generate needs a place for the passwords'],
    [['--store', 'x'], 'need --generate'],
    [['--generate', '--new-password-file', 'x'], 'give --generate or --new-password-file, not both'],
  ])('is refused with %j', async (options, reason) => {
    const { stderr, exitCode } = await azimuth('password', 'Service', ...options);
    expect({ stderr, exitCode }).toEqual({ stderr: expect.stringContaining(reason), exitCode: 2 });
  });
});

test('azimuth password --rolling logs in with the new password if a step is in doubt', async () => {
  const hall = await startHall(2);
  vi.stubEnv('AZIMUTH_NEW_PASSWORD', 'the new one');
  const words = ['password', '@hall/*', 'Service', '--rolling', '1', '--health', 'none'];
  expect((await azimuth(...words, '--journal', hall.at('run.jsonl'))).exitCode).toBe(0);
  const lines = readFileSync(hall.at('run.jsonl'), 'utf8').split('\n');
  writeFileSync(hall.at('run.jsonl'), `${lines.slice(0, 3).join('\n')}\n`);
  const { stderr } = await azimuth(...words, '--resume', hall.at('run.jsonl'));
  expect(stderr).toContain('hall/gate1: was done already');
});
