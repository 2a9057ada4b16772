import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Scanner } from '@azimuth/client';
import { azimuth as run } from '@azimuth/test-support/command-process';
import { firmware } from '@azimuth/test-support/firmware';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { canLogIn } from '../../src/scanners/connection.js';
import { type Hall, startHall } from '../rollout/hall.js';

const bin = fileURLToPath(new URL('../../bin/azimuth.js', import.meta.url));

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const firmwareKey = publicKey.export({ type: 'spki', format: 'pem' }).toString();

/** Kills a command with SIGKILL when its journal says that the second scanner has begun, and some ms later. */
async function killed({ at }: Hall, argv: readonly string[], after: number): Promise<void> {
  const env = { ...process.env, AZIMUTH_DEVICES: at('devices.yaml'), AZIMUTH_PASSWORD: 'servicelevel' };
  const words = [...argv, '--journal', at('run.jsonl')];
  const child = spawn(process.execPath, [bin, ...words], { stdio: 'ignore', env });
  const ended = once(child, 'close');
  const begun = /"begun".*"hall\/gate2"/;
  await until(() => existsSync(at('run.jsonl')) && begun.test(readFileSync(at('run.jsonl'), 'utf8')), 60_000);
  await new Promise((resolve) => setTimeout(resolve, after));
  child.kill('SIGKILL');
  await ended;
}

function goOn({ at }: Hall, argv: readonly string[]) {
  const env = { AZIMUTH_DEVICES: at('devices.yaml'), AZIMUTH_DEVICE: '' };
  return run([...argv, '--resume', at('run.jsonl')], undefined, env);
}

const steps = ['--rolling', '1', '--health', 'none'];

const moments = [0, 100];

test.each(moments)('a run of reboots that is killed %i ms after a step has begun goes on', async (after) => {
  const hall = await startHall(3);
  const argv = ['reboot', '@hall/*', '--yes', ...steps];
  await killed(hall, argv, after);
  const { stderr, code } = await goOn(hall, argv);
  expect({ stderr, code }).toEqual({ stderr: expect.stringContaining('3 done'), code: 0 });
});

test.each(moments)(
  'an update that is killed %i ms after a step has begun ends with its release',
  async (after) => {
    const hall = await startHall(3, () => ({ firmwareKey, release: '2.2.0' }));
    writeFileSync(hall.at('new.spk.signed'), firmware({ release: '2.4.4', key: privateKey }));
    const argv = ['update', '@hall/*', hall.at('new.spk.signed'), '--yes', ...steps];
    await killed(hall, argv, after);
    expect((await goOn(hall, argv)).code).toBe(0);
    for (const { client } of hall.scanners)
      expect((await client.read('DeviceIdent')).Version).toBe('2.4.4.0R');
  },
);

test.each(moments)('values that are killed %i ms after a step has begun are written', async (after) => {
  const hall = await startHall(3);
  const gates = [1, 2, 3].map((number) => `  hall/gate${number}: {}\n`).join('');
  writeFileSync(hall.at('site.yaml'), `parameters:\n  TSCTCupdatetime: 700\nscanners:\n${gates}`);
  const argv = ['apply', '@hall/*', hall.at('site.yaml'), '--yes', ...steps];
  await killed(hall, argv, after);
  expect((await goOn(hall, argv)).code).toBe(0);
  for (const { client } of hall.scanners) expect(await client.read('TSCTCupdatetime')).toBe(700);
});

test.each(moments)(
  'no password is lost if the command is killed %i ms after a step has begun',
  async (after) => {
    const hall = await startHall(3);
    const argv = ['password', '@hall/*', 'Service', '--generate', '--store', hall.at('p.yaml'), ...steps];
    await killed(hall, argv, after);
    const opens = async (number: number) => {
      const { password, next } =
        parse(readFileSync(hall.at('p.yaml'), 'utf8'))[`hall/gate${number}`]?.Service ?? {};
      const url = hall.scanners[number - 1]?.url ?? '';
      const known = [next, password, 'servicelevel'].filter((each) => typeof each === 'string');
      const opened = await Promise.all(
        known.map((each) => canLogIn(new Scanner({ url, user: 'Service', password: each }))),
      );
      return opened.includes(true);
    };
    for (const number of [1, 2, 3]) expect(await opens(number)).toBe(true);
    expect((await goOn(hall, argv)).code).toBe(0);
    for (const number of [1, 2, 3]) expect(await opens(number)).toBe(true);
  },
);

test.each(moments)('certificates that are killed %i ms after a step has begun are renewed', async (after) => {
  const hall = await startHall(3);
  expect((await run(['certificate', 'authority', hall.at('ca')])).code).toBe(0);
  const authority = ['--ca-key', hall.at('ca/ca.key'), '--ca-cert', hall.at('ca/ca.pem')];
  const argv = ['certificate', 'renew', '@hall/*', '--yes', ...authority, ...steps];
  await killed(hall, argv, after);
  expect((await goOn(hall, argv)).code).toBe(0);
  for (const { client } of hall.scanners) {
    expect((await client.certificates()).https.enabled).toBe(true);
  }
});
