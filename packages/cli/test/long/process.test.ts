import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';

const bin = fileURLToPath(new URL('../../bin/azimuth.js', import.meta.url));

let device: FakeDevice;

beforeEach(async () => {
  device = await FakeDevice.start();
});
afterEach(() => device.stop());

/** The command as a process of its own, from the build. */
function start(
  argv: readonly string[],
  nodeOptions: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
) {
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    AZIMUTH_DEVICE: device.url,
    AZIMUTH_PASSWORD: '',
    ...more,
  };
  return spawn(process.execPath, [...nodeOptions, bin, ...argv], { env });
}

async function outcome(child: ReturnType<typeof start>) {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [exitCode] = await once(child, 'close');
  return { stdout, stderr, exitCode: Number(exitCode) };
}

test('the command reads and ends by itself', async () => {
  expect(await outcome(start(['get', 'LocationName']))).toEqual({
    stdout: 'not defined\n',
    stderr: '',
    exitCode: 0,
  });
});

test('a failure sets the exit code of the process', async () => {
  const child = start(['set', 'LocationName', 'x']);
  child.stdin.end();
  const { stderr, exitCode } = await outcome(child);
  expect(exitCode).toBe(2);
  expect(stderr.split('\n')).toHaveLength(2);
});

test('a reader that closes the pipe ends the command without an error', async () => {
  const child = start(['get', 'LocationName']);
  child.stdout.destroy();
  expect(await outcome(child)).toMatchObject({ stderr: '', exitCode: 0 });
});

test('a failure whose message is not read keeps its exit code', async () => {
  const child = start(['get', 'Xyzzy']);
  child.stderr.destroy();
  expect(await once(child, 'exit')).toEqual([2, null]);
});

/** The sources of which a command has run code in its process. */
async function sourcesRun(...argv: readonly string[]): Promise<Set<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-coverage-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await outcome(start(argv, [], { NODE_V8_COVERAGE: folder }));
  const sources = new Set<string>();
  for (const name of readdirSync(folder)) {
    const coverage: Coverage = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    for (const { url, functions } of coverage.result.filter((script) => script.url.endsWith('.cjs'))) {
      const file = fileURLToPath(url);
      const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
      const text = readFileSync(file, 'latin1');
      const starts = lineStarts(text);
      for (const { ranges } of functions) {
        const [whole] = ranges;
        if (whole === undefined || whole.count === 0) continue;
        // The program itself is a function: its middle can be anywhere.
        if (whole.endOffset - whole.startOffset > text.length / 2) continue;
        const middle = (whole.startOffset + whole.endOffset) / 2;
        const line = starts.findLastIndex((start) => start <= middle);
        const entry = map.findEntry(line, Math.floor(middle) - (starts[line] ?? 0));
        if ('originalSource' in entry) sources.add(entry.originalSource);
      }
    }
  }
  return sources;
}

/** The format of NODE_V8_COVERAGE. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly {
        readonly startOffset: number;
        readonly endOffset: number;
        readonly count: number;
      }[];
    }[];
  }[];
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

test.each([
  [['describe', 'LocationName'], ['model'], ['client', 'server', 'device']],
  [
    ['get', 'LocationName'],
    ['model', 'client'],
    ['server', 'device'],
  ],
  [['--help'], [], ['client', 'server', 'device']],
])('%j evaluates %j and not %j', async (argv, needed, unneeded) => {
  const sources = [...(await sourcesRun(...argv))].join('\n');
  expect(sources).toContain('src/program.ts');
  for (const name of needed) expect(sources).toContain(`../../${name}/src/`);
  for (const name of unneeded) expect(sources).not.toContain(`../../${name}/src/`);
  expect(sources).not.toContain('node_modules/ws/');
});

test('watch evaluates the library for WebSockets', async () => {
  expect([...(await sourcesRun('watch', 'DeviceStatus'))].join('\n')).toContain('node_modules/ws/');
});

test.runIf(process.platform === 'linux')('output that cannot be written is one clear line', async () => {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const env = { ...process.env, AZIMUTH_DEVICE: device.url };
  const child = spawn(process.execPath, [bin, 'get', 'LocationName'], {
    env,
    stdio: ['ignore', full, 'pipe'],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const [exitCode] = await once(child, 'close');
  expect(stderr).toMatch(/^azimuth: the output cannot be written: ENOSPC[^\n]*\n$/);
  expect(exitCode).toBe(74);
});
