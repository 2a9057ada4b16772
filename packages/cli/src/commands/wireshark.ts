import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dissector, firstLine } from '@azimuth/bridge/wireshark';
import { CommandFailure } from '../command-failure.js';
import type { Command } from '../options/command.js';
import { print } from '../output/output.js';
import { OutputFile, standardOutput } from '../transfers/output-file.js';

interface Options {
  readonly install?: boolean;
  readonly force?: boolean;
}

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Write a dissector for Wireshark and tshark: it shows the telegrams of scanners with the names and units of their fields. Compact, MSGPACK, IMU, encoder, the legacy protocol as text and in binary, and the device search.',
    )
    .argument('[file]', 'file to write (default: standard output)')
    .option('--install', 'write it into the folder from which Wireshark of this user loads plugins')
    .action((file: string | undefined) => writeDissector(file, command.optsWithGlobals<Options>()))
    .withForce()
    .withExamples(
      'azimuth wireshark --install                  # then start Wireshark again',
      'azimuth wireshark azimuth.lua && tshark -X lua_script:azimuth.lua -r hall.pcap',
    );
}

async function writeDissector(
  file: string | undefined,
  { install = false, force = false }: Options,
): Promise<void> {
  if (install && file !== undefined) {
    throw new CommandFailure('--install chooses the file itself: give a file or --install, not both');
  }
  const path = install ? join(await pluginFolder(), 'azimuth.lua') : (file ?? standardOutput);
  // A dissector of an earlier version is replaced, and no other file.
  const output = await OutputFile.at(path, force || (await isOurs(path)));
  await output.write(pieces());
  if (path !== standardOutput) print(`${path}\n`);
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  yield Buffer.from(dissector());
}

/** Returns true for a file that this command has written. */
async function isOurs(path: string): Promise<boolean> {
  if (path === standardOutput) return false;
  const text = await readFile(path, 'latin1').catch(() => '');
  return text.startsWith(`${firstLine}\n`);
}

const timeout = 10_000;

/** Returns the folder of the user for plugins in Lua, as tshark names it; else the usual one of this system. */
async function pluginFolder(): Promise<string> {
  const listed = await promisify(execFile)('tshark', ['-G', 'folders'], { timeout }).catch(() => undefined);
  const named = /^Personal Lua Plugins:\s+(\S.*)$/m.exec(listed?.stdout ?? '')?.[1];
  if (named !== undefined) return named.trim();
  if (process.platform === 'win32') return join(process.env.APPDATA ?? homedir(), 'Wireshark', 'plugins');
  return join(homedir(), '.local', 'lib', 'wireshark', 'plugins');
}
