import { createHash } from 'node:crypto';
import { factoryPasswords, type LoginLevel } from '@azimuth/model';
import type { CheckTarget } from '../scanner/checked-scanner.js';
import type { LegacyForm } from '../wire/legacy-frames.js';
import { LegacyValues } from '../wire/legacy-layout.js';
import { NotTestable, type StepContext } from './step-context.js';

/** A telegram with the hash of a password. */
export interface LegacyLogin {
  readonly method: 'SetAccessMode' | 'CheckPassword' | 'SetPassword';
  readonly level: LoginLevel;
  /** Another password than the level's. */
  readonly password?: string;
}

const numbers: Readonly<Record<LoginLevel, number>> = { Maintenance: 2, AuthorizedClient: 3, Service: 4 };

/** Levels whose legacy password was refused, so that a check does not lock a scanner by its logins. */
const refused = new WeakMap<CheckTarget, Set<LoginLevel>>();

/** Returns the payload of a telegram with a hash. @throws NotTestable if the password is not known */
export function loginPayload(
  { method, level, password }: LegacyLogin,
  form: LegacyForm,
  context: StepContext,
): Buffer {
  const hash = legacyHash(password ?? knownPassword(level, context));
  const text = `${numbers[level]} ${hash.toString(16).toUpperCase()}`;
  if (form === 'text') return Buffer.from(`sMN ${method} ${text}`);
  return Buffer.concat([Buffer.from(`sMN ${method} `), LegacyValues.ofText('i8 u32', text).bytes]);
}

function knownPassword(level: LoginLevel, { target }: StepContext): string {
  const password = target.legacyPasswords?.[level] ?? target.passwords[level] ?? offered[level];
  if (password === undefined || refused.get(target)?.has(level) === true)
    throw new NotTestable(`needs the legacy password of ${level}`);
  return password;
}

/** New devices have these passwords. That of Service is never tried unasked. */
const offered: Readonly<Partial<Record<LoginLevel, string>>> = {
  Maintenance: factoryPasswords.Maintenance,
  AuthorizedClient: factoryPasswords.AuthorizedClient,
};

/**
 * Called for a login that did not come out as expected.
 * @throws NotTestable if the password may be wrong: it is that of REST, and was changed
 */
export function loginRefused({ level, password }: LegacyLogin, { target }: StepContext): void {
  if (password !== undefined || target.legacyPasswords?.[level] !== undefined) return;
  const used = target.passwords[level];
  if (used === undefined || used === factoryPasswords[level]) return;
  const levels = refused.get(target) ?? new Set();
  refused.set(target, levels.add(level));
  throw new NotTestable(`the legacy protocol has another password of ${level} than REST`);
}

/** Returns the hash of a password: its MD5 as four little-endian numbers, XORed. */
export function legacyHash(password: string): number {
  const sum = createHash('md5').update(password).digest();
  const words = [0, 4, 8, 12].map((at) => sum.readUInt32LE(at));
  return words.reduce((hash, word) => (hash ^ word) >>> 0, 0);
}
