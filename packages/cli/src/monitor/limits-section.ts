import { sectorCount } from '@azimuth/model';
import { type DirtLimit, defaultLimits, dirtLimits, type Limits } from '@azimuth/monitor';
import { z } from 'zod';
import { members, text, wholeNumber } from '../yaml/yaml-form.js';
import { duration, numberFrom } from './section-forms.js';

const dirt = z.enum(dirtLimits, { error: `expected one of ${dirtLimits.join(', ')}` });

/** Numbers of the sectors of the front screen, as keys. */
const sectorNumbers = Array.from({ length: sectorCount }, (_, index) => String(index + 1));

const ofScanner = {
  temperature: numberFrom(-40, 150).optional(),
  'clock-offset': numberFrom(0.1, 86_400).optional(),
  'certificate-days': wholeNumber(1, 3650).optional(),
  releases: z.array(text, { error: 'expected a list of releases, for example ["2.3.1"]' }).optional(),
  unsaved: duration('1min', '30d').optional(),
  'backup-days': wholeNumber(1, 3650).optional(),
  dirt: dirt.optional(),
  sectors: members(`expected sectors from 1 to ${sectorCount}, each with ${dirtLimits.join(', ')}`, {
    ...Object.fromEntries(sectorNumbers.map((number) => [number, dirt.optional()])),
  }).optional(),
  'scan-silence': duration('1s', '1d').optional(),
  'scan-rate': numberFrom(0, 1).optional(),
  'scan-loss': numberFrom(0, 1).optional(),
};

const form = members('expected limits by their names', ofScanner);

/** Limits of all scanners, and, below `for`, those of some: by names, groups or patterns. Later ones count. */
export const limitsSection = members('expected limits by their names, and for', {
  ...ofScanner,
  for: z.record(z.string(), form, { error: 'expected scanners, each with limits' }).optional(),
});

export type LimitsContent = z.output<typeof limitsSection>;

/**
 * Returns the limits of a scanner.
 * @param isMeant true if the scanner is one of those that a word below `for` names
 */
export function limitsOf(content: LimitsContent | undefined, isMeant: (word: string) => boolean): Limits {
  const { for: special = {}, ...ofAll } = content ?? {};
  const written = Object.entries(special).filter(([word]) => isMeant(word));
  return [ofAll, ...written.map(([, limits]) => limits)].reduce(withLimits, defaultLimits);
}

function withLimits(before: Limits, content: z.output<typeof form>): Limits {
  return {
    temperature: content.temperature ?? before.temperature,
    clockOffset: content['clock-offset'] ?? before.clockOffset,
    certificateDays: content['certificate-days'] ?? before.certificateDays,
    releases: content.releases ?? before.releases,
    unsavedSeconds: inSeconds(content.unsaved) ?? before.unsavedSeconds,
    backupDays: content['backup-days'] ?? before.backupDays,
    dirt: content.dirt ?? before.dirt,
    sectors: { ...before.sectors, ...numbered(content.sectors ?? {}) },
    scanSilence: inSeconds(content['scan-silence']) ?? before.scanSilence,
    scanRate: content['scan-rate'] ?? before.scanRate,
    scanLoss: content['scan-loss'] ?? before.scanLoss,
  };
}

function inSeconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

function numbered(sectors: Readonly<Record<string, DirtLimit | undefined>>): Limits['sectors'] {
  return Object.fromEntries(
    Object.entries(sectors).flatMap(([number, limit]) =>
      limit === undefined ? [] : [[Number(number), limit]],
    ),
  );
}
