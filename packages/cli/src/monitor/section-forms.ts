import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { millisecondsIn } from '../options/option-values.js';

/** Forms of values in a monitor file. Each message says what is expected, and none repeats a value that may be secret. */
export interface ValueForms {
  /** Path of a file or folder: absolute, or from the folder of the monitor file. The result is absolute. */
  readonly path: z.ZodType<string>;
}

/** @param file path of the monitor file */
export function valueForms(file: string): ValueForms {
  const folder = dirname(resolve(file));
  const path = z
    .string({ error: 'expected a path' })
    .min(1, { error: 'expected a path' })
    .transform((written) => resolve(folder, written.replace(/^~(?=\/|$)/, homedir())));
  return { path };
}

/** A number in a range, bounds included. */
export function numberFrom(least: number, most: number) {
  const error = `expected a number from ${least} to ${most}`;
  return z.number({ error }).min(least, { error }).max(most, { error });
}

/**
 * A length of time such as `90s`, `15min`, `12h` or `400d`. The result is in ms.
 * @param least as written in messages, for example `1min`
 */
export function duration(least: string, most: string) {
  const error = `expected a length of time from ${least} to ${most}, for example ${most}`;
  const [from = 0, to = 0] = [millisecondsIn(least), millisecondsIn(most)];
  return z
    .string({ error })
    .transform((written) => millisecondsIn(written) ?? Number.NaN)
    .refine((milliseconds) => milliseconds >= from && milliseconds <= to, { error });
}

/** Scanners as in `--device`: URLs, or names, groups and patterns of the devices file. One of them, or a list. */
export function scannerWords() {
  const error = "expected scanners as in --device: '@hall-a', '@gate*' or http://192.168.0.1";
  const word = z.string({ error }).min(1, { error });
  return z.array(word, { error }).min(1, { error });
}

/**
 * A URL without a password.
 * @param schemes for example `udp`
 * @param example a right one
 */
export function urlOf(schemes: readonly string[], example: string) {
  const error = `expected a URL such as ${example}, with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  return (
    z
      .string({ error })
      .refine((url) => isUrlOf(url, schemes), { error })
      // No message repeats it: it may contain a password.
      .refine((url) => !/^[a-z]+:\/\/[^/]*@/i.test(url), {
        error: 'a user or a password does not belong into the URL: name user and password-file',
      })
  );
}

/** True for a URL with one of these schemes and a host. */
export function isUrlOf(written: string, schemes: readonly string[]): boolean {
  if (!URL.canParse(written)) return false;
  const { protocol, hostname } = new URL(written);
  return schemes.includes(protocol.slice(0, -1)) && hostname !== '';
}
