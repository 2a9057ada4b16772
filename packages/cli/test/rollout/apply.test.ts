import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { azimuth } from '../run.js';
import { type Hall, startHall } from './hall.js';

function apply(hall: Hall, ...more: readonly string[]) {
  return azimuth(
    'apply',
    '@hall/*',
    hall.at('site.yaml'),
    '--yes',
    '--health',
    'none',
    '--rolling',
    '1',
    ...more,
  );
}

const values = ({ scanners }: Hall) =>
  Promise.all(scanners.map(({ client }) => client.read('TSCTCupdatetime')));

function writeSite({ at, scanners }: Hall, seconds: number): void {
  const lines = scanners.map((_, index) => `  hall/gate${index + 1}: {}\n`);
  writeFileSync(at('site.yaml'), `parameters:\n  TSCTCupdatetime: ${seconds}\nscanners:\n${lines.join('')}`);
}

test('azimuth apply --rolling stops at a wrong password, and goes on where it broke off', async () => {
  const hall = await startHall(4, (number) => (number === 3 ? { passwords: { Service: 'other' } } : {}));
  writeSite(hall, 700);
  const { stderr, exitCode } = await apply(hall, '--journal', hall.at('run.jsonl'));
  expect({ exitCode, values: await values(hall) }).toEqual({
    exitCode: 4,
    values: [700, 700, 600, 600],
  });
  expect(stderr).toContain('2 done, 1 failed (hall/gate3), 1 not begun (hall/gate4)');
  await hall.scanners[2]?.client.changePassword('Service', 'other', 'servicelevel');
  expect((await apply(hall, '--resume', hall.at('run.jsonl'))).exitCode).toBe(0);
  expect(await values(hall)).toEqual([700, 700, 700, 700]);
});

test('azimuth apply reads the values of a scanner in doubt, and refuses a site file that has changed', async () => {
  const hall = await startHall(2);
  writeSite(hall, 700);
  await apply(hall, '--journal', hall.at('run.jsonl'));
  const lines = readFileSync(hall.at('run.jsonl'), 'utf8').split('\n');
  writeFileSync(hall.at('run.jsonl'), `${lines.slice(0, 3).join('\n')}\n`);
  const { stderr } = await apply(hall, '--resume', hall.at('run.jsonl'));
  expect(stderr).toContain('hall/gate1: was done already');
  expect(stderr).toMatch(/hall\/gate2: done in/);
  writeSite(hall, 800);
  expect((await apply(hall, '--resume', hall.at('run.jsonl'))).stderr).toMatch(
    /it has file sha256:\w+, and this command line sha256:/,
  );
  expect(await values(hall)).toEqual([700, 700]);
});

test('azimuth apply --dry-run begins no run', async () => {
  const hall = await startHall(1);
  writeSite(hall, 700);
  expect(await apply(hall, '--dry-run')).toMatchObject({ stderr: '', exitCode: 0 });
  expect(await values(hall)).toEqual([600]);
});
