import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { readyScenes } from '@azimuth/simulation/world';
import { object, parse } from '@azimuth/test-support/json';
import { root, run, temporaryFolder, withAzimuth } from '@azimuth/test-support/recipe-program';
import { expect, test } from 'vitest';

/** A copy of the examples, so that what they are built to is elsewhere. */
function examples(): string {
  const folder = join(temporaryFolder(), 'examples');
  cpSync(join(root, 'examples'), folder, { recursive: true });
  return folder;
}

test('the recipe for Python passes with pytest', async () => {
  const { code, output } = await run(['pytest', '-q'], join(examples(), 'python'));
  expect(output).toMatch(/2 passed/);
  expect(code).toBe(0);
});

test('the recipe for Python passes with the standard library alone', async () => {
  // -S: without the packages that are installed on this machine.
  const words = ['python3', '-S', '-W', 'error', 'test_scanner.py'];
  const { code, output } = await run(words, join(examples(), 'python'));
  expect(output).toMatch(/Ran 1 test[\s\S]*OK/);
  expect(code).toBe(0);
});

test('the recipe for Python drives along a wall in a closed loop', async () => {
  const words = ['python3', '-S', '-W', 'error', 'drive.py', '12'];
  const { code, output } = await run(words, join(examples(), 'python'));
  expect(code, output).toBe(0);
  const { travelled, nearest, pose } = object(parse(output.trim().split('\n').at(-1) ?? ''));
  expect(travelled).toBeGreaterThan(4);
  // The walls of the room are 10 m by 6 m, and the controller keeps 1 m to the one on its right.
  expect(nearest).toBeGreaterThan(600);
  expect(nearest).toBeLessThan(1400);
  expect(pose).toMatchObject({ x: expect.any(Number) });
});

test('the recipe for Python tells why a scanner does not start', async () => {
  const program = "from virtual_scanner import VirtualScanner; VirtualScanner('--scene', 'nowhere')";
  const { code, output } = await run(['python3', '-c', program], join(examples(), 'python'));
  expect(code).toBe(1);
  expect(output).toContain('did not start');
  expect(output).toContain('nowhere');
});

/** What is said of each fault that driver-faults.cpp plants. */
const said: Readonly<Record<string, RegExp>> = {
  'a drive that is not deskewed': /^right$/m,
  'a drive that is deskewed': /^right$/m,
  'a drive that should be deskewed': /^wrong: the ranges are (not those of their beams|turned)$/m,
  'a right driver': /^right$/m,
  'mirrored ranges': /^wrong: the ranges are (not those of their beams|turned)$/m,
  'ranges that are a beam off': /^wrong: the ranges are turned$/m,
  'ranges that are a segment off': /^wrong: the ranges are (not those of their beams|turned)$/m,
  'ranges that are 1 % too long': /^wrong: the ranges are scaled$/m,
  'echoes in the wrong order': /^wrong: echoes are out of order$/m,
  'some azimuths of no beam': /^wrong: azimuths are those of no beam$/m,
  'most echoes left out': /^wrong: more beams are missing than there are$/m,
  'the scan before under the number of this one': /^wrong: the times are not those of this scan$/m,
};

test.each([...readyScenes])('driver_error in C++ finds each planted fault in the scene %s', async (scene) => {
  const program = join(temporaryFolder(), 'driver-faults');
  const source = join(root, 'tests', 'peers', 'driver-faults.cpp');
  const include = `-I${join(root, 'examples', 'cpp')}`;
  const compiled = await run(
    ['c++', '-std=c++17', '-Wall', '-Wextra', '-Werror', include, source, '-o', program],
    root,
  );
  expect(compiled.code, compiled.output).toBe(0);
  const withScanner = join(root, 'examples', 'shell', 'with-scanner.sh');
  const env = { ...withAzimuth, SCANNER_OPTIONS: `--scene ${scene} --seed 7` };
  const { code, output } = await run([withScanner, program], temporaryFolder(), env);
  const reports = output.split(/^# /m).slice(1);
  expect(reports.map((report) => report.split('\n')[0])).toEqual(Object.keys(said));
  for (const report of reports) expect(report).toMatch(said[report.split('\n')[0] ?? ''] ?? /^$/);
  expect(code, output).toBe(0);
});

test('the recipe for C++ builds without warnings, and passes with ctest', async () => {
  const folder = join(examples(), 'cpp');
  const env = { ...withAzimuth, CXXFLAGS: '-Werror' };
  for (const words of [
    ['cmake', '-S', '.', '-B', 'build'],
    ['cmake', '--build', 'build'],
    ['ctest', '--test-dir', 'build', '--output-on-failure'],
  ]) {
    const { code, output } = await run(words, folder, env);
    expect(code, output).toBe(0);
  }
});
