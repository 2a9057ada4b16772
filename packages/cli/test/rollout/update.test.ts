import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { firmware } from '@azimuth/test-support/firmware';
import { describe, expect, test } from 'vitest';
import { azimuth } from '../run.js';
import { calls, type Hall, startHall } from './hall.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const firmwareKey = publicKey.export({ type: 'spki', format: 'pem' }).toString();

/** Starts scanners of three releases, with a signed and an unsigned file of the newest one. */
async function hallToUpdate(count: number): Promise<Hall> {
  const hall = await startHall(count, () => ({ firmwareKey }));
  writeFileSync(hall.at('new.spk'), firmware({ release: '2.4.4' }));
  writeFileSync(hall.at('new.spk.signed'), firmware({ release: '2.4.4', key: privateKey }));
  return hall;
}

function update(...more: readonly string[]) {
  return azimuth('update', '@hall/*', '--yes', '--health', 'none', '--rolling', '1', ...more);
}

const versions = ({ scanners }: Hall) =>
  Promise.all(scanners.map(async ({ client }) => (await client.read('DeviceIdent')).Version));

const newest = '2.4.4.0R';

describe('azimuth update of several files', () => {
  test('gives each scanner the file that its release takes, and none to those that run it', async () => {
    const hall = await hallToUpdate(3);
    const files = [hall.at('new.spk'), hall.at('new.spk.signed')];
    const journal = ['--journal', hall.at('run.jsonl')];
    expect(await update(...files, ...journal)).toMatchObject({
      stdout: `hall/gate1  2.4.4.0R already\nhall/gate2  2.2.0.0R → 2.4.4.0R\nhall/gate3  2.1.0.0R → 2.4.4.0R\n`,
      exitCode: 0,
    });
    expect(await versions(hall)).toEqual([newest, newest, newest]);
    expect(calls(hall, 'RunFirmwareUpdate')).toEqual([0, 1, 1]);
  });

  test('refuses in a sentence what no file fits, and begins nothing', async () => {
    const hall = await hallToUpdate(3);
    const { stderr, exitCode } = await update('--signed', hall.at('new.spk.signed'));
    expect({ stderr, exitCode }).toEqual({
      stderr: expect.stringMatching(
        /nothing was begun\nazimuth: hall\/gate3: it runs 2\.1\.0\.0R and takes unsigned files .*\nazimuth: 1 of 3 scanners failed\n/,
      ),
      exitCode: 2,
    });
    expect(await versions(hall)).toEqual([newest, '2.2.0.0R', '2.1.0.0R']);
  });

  test('believes the options more than the names', async () => {
    const hall = await hallToUpdate(3);
    writeFileSync(hall.at('a'), firmware({ release: '2.4.4' }));
    writeFileSync(hall.at('b'), firmware({ release: '2.4.4', key: privateKey }));
    const { exitCode } = await azimuth(
      ...['update', '@hall/*', '--yes', '--unsigned', hall.at('a'), '--signed', hall.at('b')],
    );
    expect({ exitCode, versions: await versions(hall) }).toEqual({
      exitCode: 0,
      versions: [newest, newest, newest],
    });
  });

  test('looks at the release of a scanner in doubt before it is sent the file again', async () => {
    const hall = await hallToUpdate(2);
    const words = [hall.at('new.spk.signed')];
    await update(...words, '--journal', hall.at('run.jsonl'));
    // The program was killed after the scanner had the file.
    const lines = readFileSync(hall.at('run.jsonl'), 'utf8').split('\n');
    const begun = lines.findIndex((line) => line.includes('"begun"') && line.includes('gate2'));
    writeFileSync(hall.at('run.jsonl'), `${lines.slice(0, begun + 1).join('\n')}\n`);
    const { stderr, exitCode } = await update(...words, '--resume', hall.at('run.jsonl'));
    expect(exitCode).toBe(0);
    expect(stderr).toContain('hall/gate2: was done already');
    expect(calls(hall, 'RunFirmwareUpdate')).toEqual([0, 1]);
  });

  test('goes on only with the same files', async () => {
    const hall = await hallToUpdate(2);
    const words = [hall.at('new.spk.signed')];
    await update(...words, '--journal', hall.at('run.jsonl'));
    writeFileSync(hall.at('new.spk.signed'), firmware({ release: '2.4.3', key: privateKey }));
    expect(await update(...words, '--resume', hall.at('run.jsonl'))).toMatchObject({
      stderr: expect.stringMatching(
        /it has files sha256:\w+, and this command line sha256:\w+\. Nothing was done/,
      ),
      exitCode: 2,
    });
  });
});

test('a power cut of a scanner during its update ends the run before the next one begins', async () => {
  const hall = await hallToUpdate(3);
  const [, second] = hall.scanners;
  const files = [hall.at('new.spk'), hall.at('new.spk.signed')];
  const running = update(...files, '--journal', hall.at('run.jsonl'));
  await second?.journal.call('RunFirmwareUpdate', { timeout: 20_000 });
  await second?.power.off();
  await second?.power.on();
  const { stderr, exitCode } = await running;
  expect({ stderr, exitCode }).toEqual({
    stderr: expect.stringMatching(/1 done, 1 failed \(hall\/gate2\), 1 not begun \(hall\/gate3\)/),
    exitCode: 1,
  });
  expect(await versions(hall)).toEqual([newest, '2.2.0.0R', '2.1.0.0R']);
  const resumed = await update(...files, '--resume', hall.at('run.jsonl'));
  expect(resumed.exitCode).toBe(0);
  expect(await versions(hall)).toEqual([newest, newest, newest]);
});
