import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { describe, expect, test, vi } from 'vitest';
import { azimuth } from '../run.js';
import { calls, type Hall, startHall } from './hall.js';

const reboots = (hall: Hall) => calls(hall, 'RebootDevice');

/** Begins a run of all scanners, two at a time, without looks at their health. */
function reboot(hall: Hall, ...more: readonly string[]) {
  const journal = more.includes('--resume') ? [] : ['--journal', hall.at('run.jsonl')];
  const health = more.includes('--health') ? [] : ['--health', 'none'];
  return azimuth('reboot', '@hall/*', '--rolling', '2', '--yes', ...health, ...journal, ...more);
}

const goOn = (hall: Hall, ...more: readonly string[]) =>
  reboot(hall, '--resume', hall.at('run.jsonl'), ...more);

/** Cuts the journal off behind its first lines, as if the program had been killed there. */
function keepLines(hall: Hall, count: number): void {
  const lines = readFileSync(hall.at('run.jsonl'), 'utf8').split('\n').slice(0, count);
  writeFileSync(hall.at('run.jsonl'), `${lines.join('\n')}\n`);
}

/** The states in a journal: `begun hall/gate1`. A broken line is left out. */
const states = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/^\{"state":"(\w+)".*?(?:"scanner":"([^"]*)".*)?\}$/gm)].map(
    ([, state = '', scanner]) => (scanner === undefined ? state : `${state} ${scanner}`),
  );

describe('azimuth reboot --rolling', () => {
  test('reboots scanners of three releases step by step, and keeps a journal for its owner', async () => {
    const hall = await startHall(3);
    const { stderr, exitCode } = await reboot(hall, '--pause', '0.1', '--health', 'doctor');
    expect({ stderr, exitCode }).toEqual({
      stderr: expect.stringMatching(
        /step 1 of 2: hall\/gate1, hall\/gate2\n(azimuth: hall\/gate[12]: done in [\d.]+ s\n){2}azimuth: 0.1 seconds until the next step\nazimuth: step 2 of 2: hall\/gate3\nazimuth: hall\/gate3: done in [\d.]+ s\nazimuth: 3 done; the journal is .*run\.jsonl\n$/,
      ),
      exitCode: 0,
    });
    expect(reboots(hall)).toEqual([1, 1, 1]);
    expect(statSync(hall.at('run.jsonl')).mode & 0o777).toBe(0o600);
    expect(states(hall.at('run.jsonl')).slice(-3)).toEqual(['begun hall/gate3', 'done hall/gate3', 'ended']);
    expect((await goOn(hall)).stderr).toMatch(/^azimuth: 3 done; the journal is /);
    expect(reboots(hall)).toEqual([1, 1, 1]);
  });

  test('begins nothing after the first failure, and goes on where it broke off', async () => {
    const hall = await startHall(5, (number) => (number === 3 ? { passwords: { Service: 'other' } } : {}));
    const { stderr, exitCode } = await reboot(hall);
    expect(exitCode).toBe(4);
    expect(reboots(hall)).toEqual([1, 1, 0, 1, 0]);
    expect(stderr).toContain('azimuth: 3 done, 1 failed (hall/gate3), 1 not begun (hall/gate5); the journal');
    const [, words = ''] = /it goes on with: azimuth (.*)\n/.exec(stderr) ?? [];
    expect(words).toMatch(/^reboot .*--rolling 2 --yes --health none --resume \S+run\.jsonl$/);
    // The same password is wrong once more: the scanners that are done are left as they are.
    expect((await azimuth(...words.replaceAll("'", '').split(' '))).exitCode).toBe(4);
    expect(reboots(hall)).toEqual([1, 1, 0, 1, 1]);
    await hall.scanners[2]?.client.changePassword('Service', 'other', 'servicelevel');
    expect(await azimuth(...words.replaceAll("'", '').split(' '))).toMatchObject({ exitCode: 0 });
    expect(reboots(hall)).toEqual([1, 1, 1, 1, 1]);
  });

  test('prints for machines how it goes, and at the end what is done', async () => {
    const hall = await startHall(2);
    const { stdout, stderr } = await reboot(hall, '--json');
    const lines = (text: string) => text.trimEnd().split('\n');
    expect(lines(stdout).map((line) => JSON.parse(line))).toEqual([
      { scanner: 'hall/gate1', result: { rebooted: true, saved: true, up: true } },
      { scanner: 'hall/gate2', result: { rebooted: true, saved: true, up: true } },
      {
        rollout: { done: ['hall/gate1', 'hall/gate2'], failed: [], left: [], journal: hall.at('run.jsonl') },
      },
    ]);
    expect(lines(stderr).map((line) => JSON.parse(line).state)).toEqual(['begun', 'begun', 'done', 'done']);
  });
});

describe('the journal of a run that was killed', () => {
  test('lets a scanner in doubt show whether it was rebooted, and reboots it again if it does not', async () => {
    const hall = await startHall(3);
    await reboot(hall);
    keepLines(hall, 4);
    appendFileSync(hall.at('run.jsonl'), '{"state":"do');
    expect(states(hall.at('run.jsonl')).slice(1)).toEqual(['begun hall/gate1', 'begun hall/gate2']);
    await hall.scanners[0]?.power.off();
    const resumed = goOn(hall);
    await hall.scanners[0]?.power.on();
    const { stderr, exitCode } = await resumed;
    expect(exitCode).toBe(0);
    expect(stderr).toContain('hall/gate1: was done already');
    expect(reboots(hall)).toEqual([1, 2, 2]);
    expect(states(hall.at('run.jsonl')).filter((state) => state === 'done hall/gate1')).toHaveLength(1);
  });

  test('is refused for other scanners, another command and other facts', async () => {
    const hall = await startHall(2);
    await reboot(hall);
    const refused = async (...words: readonly string[]) => {
      const { stderr, exitCode } = await azimuth(...words, '--resume', hall.at('run.jsonl'), '--yes');
      return { stderr, exitCode };
    };
    expect(await refused('reboot', '@hall/gate1')).toEqual({
      stderr: `azimuth: ${hall.at('run.jsonl')} is the journal of another run: it has the scanners hall/gate2, and this command line lacks them. Nothing was done\n`,
      exitCode: 2,
    });
    expect((await refused('reboot', '@hall/*', '--discard')).stderr).toContain(
      'it has discard false, and this command line true',
    );
    writeFileSync(
      hall.at('devices.yaml'),
      readFileSync(hall.at('devices.yaml'), 'utf8').replace(/127\.0\.0\.1/, 'localhost'),
    );
    expect((await refused('reboot', '@hall/*')).stderr).toContain('it has for hall/gate1 http://127.0.0.1');
    expect(reboots(hall)).toEqual([1, 1]);
  });

  test('is refused while its process runs, and if it is no journal', async () => {
    const hall = await startHall(1);
    await reboot(hall);
    keepLines(hall, 1);
    const running = { state: 'running', at: new Date().toISOString(), pid: process.ppid, host: hostname() };
    appendFileSync(hall.at('run.jsonl'), `${JSON.stringify(running)}\n`);
    expect((await goOn(hall)).stderr).toContain(`process ${process.ppid} still works with`);
    appendFileSync(hall.at('run.jsonl'), '{"state":"unknown"}\n');
    expect((await goOn(hall)).stderr).toContain('run.jsonl, line 3: expected an entry of a rollout journal');
    writeFileSync(hall.at('run.jsonl'), '{}\n');
    expect((await goOn(hall)).stderr).toContain('run.jsonl, line 1: expected the head of a rollout journal');
    expect(reboots(hall)).toEqual([1]);
  });

  test('is never overwritten by another run', async () => {
    const hall = await startHall(1);
    await reboot(hall);
    expect(await reboot(hall)).toMatchObject({
      stderr: expect.stringContaining(`run.jsonl already exists: --resume ${hall.at('run.jsonl')} goes on`),
      exitCode: 2,
    });
    expect(reboots(hall)).toEqual([1]);
  });
});

test.each(['pause', 'settle', 'journal', 'health'])('--%s is refused without --rolling', async (option) => {
  vi.stubEnv('AZIMUTH_DEVICE', 'http://127.0.0.1:9');
  const value = option === 'health' ? 'none' : '1';
  expect(await azimuth('reboot', `--${option}`, value)).toEqual({
    stdout: '',
    stderr: `azimuth: --${option} needs --rolling: how many scanners at a time\n`,
    exitCode: 2,
  });
});
