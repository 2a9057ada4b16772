import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { object, parse, string } from '@azimuth/test-support/json';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const text = (path: string) => readFileSync(join(root, path), 'utf8');
const version = string(object(parse(text('packages/cli/package.json'))).version);
const example = 'examples/in-process.mjs';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Without the settings of the command, and without a network. */
const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(AZIMUTH|NODE|VITEST)(_|$)/.test(name)),
  ),
  npm_config_offline: 'true',
};

/** The shell block of a page that holds these words. */
function blockWith(page: string, words: string): string {
  const blocks = [...text(page).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const found = blocks.find((block) => block.includes(words));
  if (found === undefined) throw new Error(`${page} has no block with ${words}`);
  return found;
}

const limits = { timeout: 60_000, maxBuffer: 1 << 20 };

test('the example of a scanner in a program runs and is the one in docs/in-process.md', async () => {
  const { stdout } = await run(process.execPath, [example], { ...limits, cwd: root, env: environment });
  expect(stdout).toMatch(/pass 2$/m);
  expect(stdout).toMatch(/fail 0$/m);
  const [, printed] = /```js\n([\s\S]*?)```/.exec(text('docs/in-process.md')) ?? [];
  expect(printed).toBe(text(example));
});

test('the example for vitest runs and is the one in docs/in-process.md', async () => {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  // Not the configuration of this project, which has no tests among its examples.
  const config = join(temporaryFolder(), 'vitest.config.mjs');
  writeFileSync(config, 'export default {};');
  const words = [vitest, 'run', 'in-process.test.ts', '--config', config, '--root', join(root, 'examples')];
  const { stdout } = await run(process.execPath, words, { ...limits, cwd: root, env: environment });
  expect(stdout).toMatch(/1 passed/);
  const [, printed] = /```ts\n([\s\S]*?)```/.exec(text('docs/in-process.md')) ?? [];
  expect(printed).toBe(text('examples/in-process.test.ts'));
});

test('it runs in another project as docs/in-process.md says', async () => {
  const folder = temporaryFolder();
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"name":"project","private":true,"type":"module"}');
  copyFileSync(join(root, example), join(project, 'scanner.mjs'));
  const install = blockWith('docs/in-process.md', 'npm install').replaceAll('../azimuth', root);
  await run('sh', ['-ec', install], { ...limits, cwd: project, env: environment });
  const { stdout } = await run(process.execPath, ['scanner.mjs'], {
    ...limits,
    cwd: project,
    env: environment,
  });
  expect(stdout).toMatch(/pass 2$/m);
});

test('azimuth is put on the PATH as docs/command.md says, by a link or from the clone', async () => {
  const prefix = temporaryFolder();
  for (const name of ['bin', 'lib']) mkdirSync(join(prefix, name));
  const [install = '', ...link] = blockWith('docs/command.md', 'npm link').trim().split('\n');
  expect(install).toBe('npm ci && npm run build');
  const elsewhere = `cd ${tmpdir()} && azimuth --version`;
  const linked = await run('sh', ['-ec', [...link, elsewhere].join('\n')], {
    ...limits,
    cwd: root,
    env: {
      ...environment,
      npm_config_prefix: prefix,
      PATH: `${join(prefix, 'bin')}${delimiter}${process.env.PATH}`,
    },
  });
  expect(linked.stdout.trim().split('\n').slice(-2)).toEqual([version, version]);
  const onPath = `${blockWith('docs/command.md', 'export PATH')}${elsewhere}`;
  const own = await run('sh', ['-ec', onPath], { ...limits, cwd: root, env: environment });
  expect(own.stdout).toBe(`${version}\n`);
});

test('a program goes on after the end of its scanner, also if its outputs have never been driven', async () => {
  const program = `
    import { MemoryStorage, SystemClock, SystemRandom, virtualIdentity } from 'azimuth-scanner/device';
    import { ScannerService } from 'azimuth-scanner/server';
    const service = await ScannerService.start({
      device: {
        identity: virtualIdentity('23450001'),
        random: new SystemRandom(),
        storage: new MemoryStorage(),
        variant: 'full',
        core: { start: () => {}, stop: () => {} },
      },
      clock: new SystemClock(),
      hardware: { setOutputs: () => new Promise(() => {}) },
      network: { address: '127.0.0.1' },
      web: { port: 0, maxConnections: 10 },
      legacy: { portA: 0, portB: 0 },
    });
    // Longer than a call of the hardware may take.
    await new Promise((resolve) => setTimeout(resolve, 5500));
    await service.close();
    console.log('has ended');`;
  const words = ['--input-type=module', '-e', program];
  const { stdout } = await run(process.execPath, words, { ...limits, cwd: root, env: environment });
  expect(stdout).toBe('has ended\n');
}, 60_000);
