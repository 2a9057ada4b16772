import { randomInt } from 'node:crypto';

/** Letters and digits that nobody confuses: they can be read out and typed. */
const characters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** 24 of 57 characters: 139 bits. The hash of a password is one SHA-256, so a short one could be guessed. */
const length = 24;

/** Returns a new password: 24 letters and digits. */
export function generatedPassword(): string {
  return Array.from({ length }, () => characters.charAt(randomInt(characters.length))).join('');
}
