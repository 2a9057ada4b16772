import { boolean } from '@azimuth/model';
import { InvalidArgumentError } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { leaseOption } from '../serve/option-values.js';
import { valueOfWords } from '../typed-words.js';

/** A number as it was typed; the control port says whether it is one that it takes. @throws CommandFailure */
export function numberOf(what: string, typed: string): number {
  if (/^-?(\d+\.?\d*|\.\d+)$/.test(typed)) return Number(typed);
  throw new CommandFailure(`${what}: a number is expected, "${typed}" came`);
}

/** @throws CommandFailure for any other word than the two */
export function eitherOf(what: string, yes: string, no: string, typed: string): boolean {
  if (typed === yes || typed === no) return typed === yes;
  throw new CommandFailure(`${what}: ${yes} or ${no} is expected, "${typed}" came`);
}

/** On or off in any of the ways in which values are written. @throws Fault */
export function switchOf(what: string, typed: string): boolean {
  return valueOfWords(boolean(), what, typed);
}

/** What DHCP offers: `10.0.0.42/24,10.0.0.1`, or `none`. @throws CommandFailure */
export function offerOf(typed: string): object {
  if (typed === 'none') return {};
  try {
    return leaseOption(typed);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    const expected = error.message.replace(/^An /, 'an ').replace(/\.$/, '');
    throw new CommandFailure(`dhcp: ${expected}, or none; "${typed}" came`);
  }
}
