import { loginLevelNamed, scannerAt, urlOf } from '../connection.js';
import { newPasswordOf } from '../new-password.js';
import type { DeviceOptions } from '../options.js';
import { passwordFor } from '../password.js';

interface Options extends DeviceOptions {
  readonly newPasswordFile?: string;
}

/** Changes the REST password of a user level. The old one is the proof; nobody logs in. */
export async function changePassword(name: string, options: Options): Promise<void> {
  const level = loginLevelNamed(name);
  const scanner = scannerAt(options);
  const terminal = process.stdin.isTTY ? { keyboard: process.stdin, screen: process.stderr } : undefined;
  const old = await passwordFor(level, urlOf(options), options);
  const next = await newPasswordOf(level, options.newPasswordFile, terminal);
  await scanner.changePassword(level, old, next);
}
