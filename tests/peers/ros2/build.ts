import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll } from 'vitest';

const sources = fileURLToPath(new URL('programs/', import.meta.url));
const cache = fileURLToPath(new URL('../../../.cache/ros2/', import.meta.url));

/** The name of the program that is made, in a folder of its own. */
const made = 'program';

const strict = ['-O1', '-Wall', '-Wextra', '-Werror', `-I${sources}`];

/** The bytes of a GUID in ros_discovery_info from ROS 2 Iron on. */
const guidBytes = 16;
const guidBytesInHumble = 24;

/** What makes a program: commands that run in the folder of their outputs. */
const commands = {
  'cyclonedds-subscriber': cyclone('cyclonedds-subscriber'),
  'cyclonedds-publisher': cyclone('cyclonedds-publisher'),
  'cyclonedds-decoder': cyclone('cyclonedds-decoder'),
  'fastdds-subscriber': fast('fastdds-subscriber'),
  'fastdds-publisher': fast('fastdds-publisher'),
  'cyclonedds-subscriber-humble': cyclone('cyclonedds-subscriber', guidBytesInHumble),
  'fastdds-subscriber-humble': fast('fastdds-subscriber', guidBytesInHumble),
} as const;

export type Program = keyof typeof commands;

function cyclone(name: string, bytes = guidBytes): readonly (readonly string[])[] {
  const files = [join(sources, `${name}.c`), 'messages.c'];
  return [
    ['idlc', '-l', 'c', `-DGID_BYTES=${bytes}`, join(sources, 'messages.idl')],
    ['cc', '-std=c11', '-D_POSIX_C_SOURCE=200809L', ...strict, '-I.', '-o', made, ...files, '-lddsc', '-lm'],
  ];
}

function fast(name: string, bytes = guidBytes): readonly (readonly string[])[] {
  const file = join(sources, `${name}.cpp`);
  const number = `-DGID_BYTES=${bytes}`;
  return [['c++', '-std=c++17', number, ...strict, '-o', made, file, '-lfastrtps', '-lfastcdr']];
}

/** Builds the programs before the tests of a file, those whose sources or commands have changed. */
export function buildPrograms(...programs: readonly Program[]): void {
  beforeAll(() => Promise.all(programs.map(build)), 300_000);
}

/** The path of a program that is built. */
export function pathOf(program: Program): string {
  return join(folderOf(program), made);
}

function folderOf(program: Program): string {
  const hash = createHash('sha256').update(JSON.stringify(commands[program]));
  for (const name of readdirSync(sources).sort()) hash.update(name).update(readFileSync(join(sources, name)));
  return join(cache, `${program}-${hash.digest('hex').slice(0, 16)}`);
}

/**
 * Builds in a folder of its own and renames it, so that two builds at the same time do not disturb each other. A build
 * that fails throws with what the compiler says.
 */
async function build(program: Program): Promise<void> {
  const folder = folderOf(program);
  if (existsSync(folder)) return;
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(`${folder}-`);
  for (const [command = '', ...words] of commands[program]) {
    await promisify(execFile)(command, words, { cwd: unfinished });
  }
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}
