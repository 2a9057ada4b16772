import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@azimuth/test-support/free-port';
import { Reader, serve, temporaryFolder } from '@azimuth/test-support/serve-process';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs', 'scenes.md'), 'utf8');
const [, section = ''] = /^## Maps$(.*?)^## /ms.exec(page) ?? [];
const [start = '', next = ''] = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);

test('the lines of the page about maps start a scanner in a map, change to it, and print it', async () => {
  const folder = temporaryFolder();
  for (const name of ['hall.yaml', 'hall.pgm'])
    copyFileSync(join(root, 'packages', 'simulation', 'scenes', name), join(folder, name));
  const tools = join(folder, 'tools');
  mkdirSync(tools);
  const bin = join(root, 'packages', 'cli', 'bin', 'azimuth.js');
  writeFileSync(join(tools, 'azimuth'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`, {
    mode: 0o755,
  });
  const [command, , ...flags] = start.trim().split(' ');
  expect([command, ...flags]).toEqual(['azimuth', '--scene', 'hall.yaml', '--control-port', '9000']);
  const port = await freePort();
  const scanner = serve({
    flags: flags.map((flag) => (flag === '9000' ? String(port) : flag)),
    before: `cd "${folder}"`,
    env: { AZIMUTH_DATA: join(folder, 'data') },
  });
  await new Reader(scanner.stdout).until((text) => text.includes('is ready'));
  const type = (line: string) =>
    execFileSync('sh', ['-ec', line], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        PATH: `${tools}${delimiter}${process.env.PATH}`,
        AZIMUTH_CONTROL: `http://127.0.0.1:${port}`,
      },
    });
  const begun = type('azimuth sim scene');
  expect(JSON.parse(begun)).toMatchObject({ name: 'hall', map: { name: 'hall.yaml', resolution: 0.1 } });
  type('azimuth sim scene gate');
  type(next);
  expect(readFileSync(join(folder, 'hall-walls.json'), 'utf8')).toBe(begun);
});
