import { encryptedMessage } from '@azimuth/client';
import type { LoginLevel } from '@azimuth/model';
import { newChallenge } from './login.js';
import { passwordOf, type StepContext } from './step-context.js';

/** Makes the `encryptedMessage` of changePassword, and saves it. */
export interface PasswordMessageStep {
  readonly kind: 'password-message';
  readonly level: LoginLevel;
  /** Password that the message proves; that of the level by default. */
  readonly from?: string;
  /** Password that it sets; that of the level by default, with a new salt. */
  readonly to?: string;
  /** Byte whose lowest bit is wrong, from 0 to 95. */
  readonly wrongByte?: number;
  /** Bytes that are kept: a shorter message. */
  readonly bytes?: number;
  /** Name under which the array of bytes is saved. */
  readonly save: string;
}

export function passwordMessage(
  level: LoginLevel,
  save: string,
  options: Partial<Omit<PasswordMessageStep, 'kind' | 'level' | 'save'>> = {},
): PasswordMessageStep {
  return { kind: 'password-message', level, save, ...options };
}

/** @throws NotTestable, Unmet */
export async function performPasswordMessage(step: PasswordMessageStep, context: StepContext): Promise<void> {
  const { level, wrongByte, bytes } = step;
  const { from = passwordOf(context, level), to = passwordOf(context, level) } = step;
  const { realm, salt } = await newChallenge(level, context);
  const change = { user: level, realm, oldSalt: salt, oldPassword: from, newPassword: to };
  const message = [...encryptedMessage(change, { iv: fresh(), newSalt: fresh() })];
  const sent = message.map((byte, index) => (index === wrongByte ? byte ^ 1 : byte));
  context.saved.set(step.save, sent.slice(0, bytes));
}

/** 16 bytes, none of them zero: some scanners take a zero byte for the end of a salt. */
function fresh(): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(16)).map((byte) => byte || 1);
}
