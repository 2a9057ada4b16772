import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('../scripts/campaign.mjs', import.meta.url));
const page = readFileSync(new URL('../docs/testing.md', import.meta.url), 'utf8');

function campaign(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('npm run campaign -- --help lists the campaigns, and docs/testing.md names all of them', () => {
  const { status, stdout, stderr } = campaign('--help');
  expect([status, stderr]).toEqual([0, '']);
  const names = [...stdout.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) expect(page).toContain(`\`${name}\``);
});

test.each([
  [[], ''],
  [['nothing'], 'there is no campaign nothing'],
  [['power-cuts', '--inputs', '5'], 'power-cuts takes no --inputs'],
  [['power-cuts', '--cuts', 'many'], '--cuts takes a number'],
  [['power-cuts', 'flood'], 'one campaign at a time'],
  [['flood', '--fast'], "Unknown option '--fast'"],
])('npm run campaign with %j is refused with a reason and exit code 2, before anything runs', (args, why) => {
  const { status, stdout, stderr } = campaign(...args);
  expect(status).toBe(2);
  expect(stderr).toContain(why);
  expect(`${stdout}${stderr}`).toContain('npm run campaign NAME');
});
