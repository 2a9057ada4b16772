import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compiledBeside } from '../bin/program.js';

const starter = new URL('../bin/program.js', import.meta.url).href;

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'azimuth-program-'));
  file = join(folder, 'p-1.cjs');
  writeFileSync(
    file,
    `(function (exports, require, module, __filename, importFile) {
exports.name = () => require('node:path').basename(__filename);
exports.fail = () => { throw new Error('it broke'); };
exports.sum = async () => (await importFile('data:text/javascript,export default 3')).default;
})`,
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the value of an expression, in a process that has started the program as `it`. */
function inProgram(expression: string, flags: readonly string[] = []): string {
  const text = `
    import { writeFileSync } from 'node:fs';
    import { compiledBeside, programIn } from ${JSON.stringify(starter)};
    const { script, run } = programIn(${JSON.stringify(file)});
    const it = run();
    console.log(await (${expression}));`;
  return execFileSync(process.execPath, [...flags, '--input-type=module', '-e', text], {
    encoding: 'utf8',
  }).trim();
}

const compileIt = `writeFileSync(compiledBeside(${JSON.stringify('FILE')}), script.createCachedData())`;

test('a program runs with and without the code that was compiled before', () => {
  expect(inProgram('it.name()')).toBe('p-1.cjs');
  inProgram(compileIt.replace('FILE', file));
  expect(inProgram('[script.cachedDataRejected, it.name(), await it.sum()]')).toBe("[ false, 'p-1.cjs', 3 ]");
});

test('damaged compiled code is refused, and the program runs', () => {
  writeFileSync(compiledBeside(file), Buffer.alloc(200, 7));
  expect(inProgram('[script.cachedDataRejected, it.name()]')).toBe("[ true, 'p-1.cjs' ]");
});

test('compiled code of another V8 is not read, and the program runs', () => {
  writeFileSync(join(folder, 'p-1.v8-1.2.3.4.compiled'), Buffer.alloc(200, 7));
  expect(inProgram('[script.cachedDataRejected, it.name()]')).toBe("[ undefined, 'p-1.cjs' ]");
});

test('a program of more than 64 KiB runs without compiled code, and keeps the characters of Latin-1', () => {
  const text = 'ä'.repeat(100_000);
  writeFileSync(file, Buffer.from(`(function (exports) { exports.text = '${text}'; })`, 'latin1'));
  expect(inProgram(`it.text === 'ä'.repeat(100_000)`)).toBe('true');
});

const stack = `(() => { try { it.fail(); } catch (error) { return error.stack.split('\\n').slice(0, 2).join('|'); } })()`;

test('stack traces show the lines of the sources', () => {
  const map = { version: 3, sources: ['src/part.ts'], names: [], mappings: ';;AAgBA' };
  writeFileSync(`${file}.map`, JSON.stringify(map));
  expect(inProgram(stack)).toMatch(
    new RegExp(`^Error: it broke\\|    at .*${join(folder, 'src', 'part.ts')}:17:1\\)?$`),
  );
});

test('stack traces without a source map show the lines of the program', () => {
  expect(inProgram(stack)).toContain(`${file}:3:`);
});
