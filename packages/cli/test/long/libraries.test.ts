import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@azimuth/test-support/files';
import { expect, test } from 'vitest';

const cli = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the command. Returns the files of the bundle that it has read, without their hashes. */
function filesReadBy(...words: readonly string[]): readonly string[] {
  const folder = temporaryFolder();
  const spy = join(folder, 'spy.cjs');
  writeFileSync(
    spy,
    `const fs = require('node:fs');
for (const name of ['openSync', 'readFileSync']) {
  const read = fs[name];
  fs[name] = (path, ...rest) => {
    if (/bundle.*\\.cjs$/.test(String(path))) process.stderr.write('read ' + path + '\\n');
    return read(path, ...rest);
  };
}`,
  );
  const { stderr } = spawnSync(process.execPath, ['-r', spy, join(cli, 'bin', 'azimuth.js'), ...words], {
    ...{ cwd: folder, encoding: 'utf8' },
    env: { ...process.env, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder },
  });
  // One of the two functions calls the other.
  const names = [...stderr.matchAll(/^read .*[\\/]([\w-]+)-[\w-]{8}\.cjs$/gm)].map(([, name = '']) => name);
  return [...new Set(names)];
}

test('libraries that few commands use are files of their own', () => {
  const files = readdirSync(join(cli, 'bundle')).filter((file) => file.endsWith('.cjs'));
  const names = files.map((file) => file.replace(/-[\w-]{8}\.cjs$/, ''));
  expect(names.sort()).toEqual([
    'complete-main',
    'foxglove-rosmsg',
    'foxglove-rosmsg2-serialization',
    'foxglove-schemas-jsonschema.js',
    'foxglove-ws-protocol',
    'fzstd',
    'get-main',
    'main',
    'mcap-core',
    'mcp-sdk',
    'mqtt',
    'nodemailer',
    'pg',
    'serve-main',
    'wireshark-lua',
  ]);
});

test('other commands do not load them', () => {
  expect(filesReadBy('get', 'DeviceStatus', '--device', 'http://127.0.0.1:1')).toEqual(['get-main']);
  expect(filesReadBy('status', '--device', 'http://127.0.0.1:1')).toEqual(['main']);
  expect(filesReadBy('--help')).toEqual(['main']);
});

test.each([
  ['mqtt', "mqtt: [{url: 'mqtt://127.0.0.1:1'}]", 'mqtt'],
  ['mail', "mail: [{url: 'smtp://127.0.0.1:1', from: a@b, to: [c@d]}]", 'nodemailer'],
])('the output %s loads its own', (_, output, library) => {
  const file = join(temporaryFolder(), 'monitor.yaml');
  writeFileSync(file, `outputs: {${output}}\n`);
  expect(filesReadBy('monitor', file, '--test-outputs')).toEqual(['main', library]);
});
