import { z } from 'zod';
import { members } from '../yaml/yaml-form.js';
import { duration, type ValueForms } from './section-forms.js';

const timeExpected = 'expected a time of day such as "02:30"';
const zoneExpected = 'expected a time zone such as Europe/Berlin';
const authorExpected = 'expected a name and a mail address, such as Monitor <monitor@example.com>';

/** The section `archive` of a monitor file: backups and site files of each night. */
export function archiveSection({ path }: ValueForms) {
  return members('expected at least folder', {
    folder: path,
    /** True for a git work tree, which is made if there is none. By default, the folder is looked at. */
    git: z.boolean({ error: 'expected true or false' }).optional(),
    at: z
      .string({ error: timeExpected })
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: timeExpected })
      .optional(),
    'time-zone': z.string({ error: zoneExpected }).refine(isZone, { error: zoneExpected }).optional(),
    /** Time over which the scanners are spread. */
    spread: duration('1min', '12h').optional(),
    keep: duration('1d', '3650d').optional(),
    author: z
      .string({ error: authorExpected })
      .regex(/^[^<>\p{Cc}]+ <[^<>\s]+>$/u, { error: authorExpected })
      .optional(),
    /** File with the passphrase that encrypts backups. */
    'passphrase-file': path.optional(),
  });
}

export type ArchiveContent = z.output<ReturnType<typeof archiveSection>>;

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
