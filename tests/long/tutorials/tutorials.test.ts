import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServeProcess } from './serve-process.js';
import { isAsExpected, runInShell, tutorialIn } from './tutorial.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const pages = join(root, 'docs', 'tutorials');
const files = readdirSync(pages).filter((name) => name.endsWith('.md'));

/** With this variable, the outputs in the pages are replaced by those of the run. */
const updates = process.env.AZIMUTH_UPDATE_TUTORIALS === '1';

it('have 40 scenarios or more', () => {
  const scenarios = files.flatMap((name) => tutorialIn(readFileSync(join(pages, name), 'utf8')).scenarios);
  expect(scenarios.length).toBeGreaterThanOrEqual(40);
  for (const { title, steps } of scenarios) expect(steps.length, title).toBeGreaterThan(0);
});

it('notice another output', () => {
  expect(isAsExpected('a 12 b\n', 'a … b\n')).toBe(true);
  expect(isAsExpected('a\nb\nc\n', 'a\n…\nc\n')).toBe(true);
  expect(isAsExpected('a 12 c\n', 'a … b\n')).toBe(false);
  expect(isAsExpected('a\nb\n', 'a\n')).toBe(false);
});

describe.each(files)('%s', (name) => {
  const file = join(pages, name);
  const page = readFileSync(file, 'utf8');
  const { servers, scenarios } = tutorialIn(page);
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-tutorial-'));
  const running: ServeProcess[] = [];
  const outputs = new Map<number, string>();
  let env: NodeJS.ProcessEnv = {};

  beforeAll(async () => {
    mkdirSync(join(folder, 'bin'));
    symlinkSync(join(root, 'packages', 'cli', 'bin', 'azimuth.js'), join(folder, 'bin', 'azimuth'));
    symlinkSync(join(root, 'examples'), join(folder, 'examples'));
    for (const command of servers) running.push(await ServeProcess.start(command, folder));
    const inherited = Object.entries(process.env).filter(([key]) => !key.startsWith('AZIMUTH_'));
    env = {
      ...Object.fromEntries(inherited),
      PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
      XDG_CONFIG_HOME: join(folder, 'config'),
      AZIMUTH_DEVICE: running[0]?.url,
      AZIMUTH_CONTROL: running[0]?.control,
      AZIMUTH_PASSWORD: 'servicelevel',
    };
  });

  afterAll(async () => {
    await Promise.all(running.map((server) => server.end()));
    rmSync(folder, { recursive: true, force: true });
    if (!updates) return;
    const steps = scenarios.flatMap((scenario) => scenario.steps).toReversed();
    const updated = steps.reduce(
      (before, { from, to }) => before.slice(0, from) + (outputs.get(from) ?? '') + before.slice(to),
      page,
    );
    writeFileSync(file, updated);
  });

  /** The commands are written for the usual ports. */
  const here = (command: string) =>
    running.reduce(
      (before, { url }, index) => before.replaceAll(`http://127.0.0.1:${8080 + index}`, url),
      command,
    );
  const asWritten = (output: string) =>
    running.reduce(
      (before, { url }, index) => before.replaceAll(url, `http://127.0.0.1:${8080 + index}`),
      output,
    );

  it.each(scenarios)('$title', async ({ steps }) => {
    for (const { command, output, from } of steps) {
      const printed = asWritten(await runInShell(here(command), folder, env));
      outputs.set(from, isAsExpected(printed, output) ? output : printed);
      if (!updates)
        expect(isAsExpected(printed, output), `${command}\nexpected:\n${output}\nprinted:\n${printed}`).toBe(
          true,
        );
    }
  });
});
