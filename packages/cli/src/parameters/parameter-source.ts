import { stat } from 'node:fs/promises';
import {
  backupParameters,
  factoryParameters,
  type ParameterDifference,
  type ParameterValues,
  type Scanner,
  storedParameters,
  workingParameters,
} from '@azimuth/client';
import { isObject, type KnownInterface, releaseOf } from '@azimuth/model';
import { nearestName } from '@azimuth/wording';
import { CommandFailure } from '../command-failure.js';
import { bytesOfFile, maxFileBytes } from '../input/bounded-file.js';
import { jsonText } from '../output/output.js';
import { readBackupContent, requireBackup, requirePassphrase } from '../restore/backup-file.js';
import { formatValue, oneLine } from '../values/format-value.js';

/** Parameters for a comparison. */
export interface ParameterSource {
  readonly values: ParameterValues;
  /** Version of their firmware: `2.4.4.0R`. */
  readonly version: string;
  /** What is known of their names. */
  readonly known: KnownInterface;
}

/** Words for parameters of a scanner, or of the factory. */
const sourceWords = ['working', 'stored', 'factory'] as const;
type SourceWord = (typeof sourceWords)[number];

export function isSourceWord(word: string): word is SourceWord {
  return sourceWords.some((known) => known === word);
}

/** True if a word names a scanner, and not a file. An existing file counts as a file. */
export async function namesScanner(word: string): Promise<boolean> {
  if (isSourceWord(word)) return false;
  if (word.startsWith('@') || /^https?:\/\//i.test(word)) return true;
  const stats = await stat(word).catch(() => undefined);
  return stats === undefined && !/[/\\]|\.(json|gz|bin|bak|backup|txt|ya?ml)$/i.test(word);
}

/**
 * Refuses a word that is nearly `factory`, `stored` or `working`: otherwise it would be a host name.
 * @throws CommandFailure
 */
export async function refuseMistypedSource(word: string): Promise<void> {
  if (isSourceWord(word) || !/^[a-z]+$/i.test(word) || !(await namesScanner(word))) return;
  const suggestion = nearestName(word, sourceWords);
  if (suggestion === undefined) return;
  throw new CommandFailure(
    `"${word}" is no side: did you mean ${suggestion}? For a scanner of this name: http://${word}`,
  );
}

/** Reads the current parameters of a scanner. */
export async function workingSource(scanner: Scanner): Promise<ParameterSource> {
  const values = await workingParameters(scanner);
  return { values, version: await firmwareVersion(scanner), known: scanner.description.known };
}

/** Reads the stored parameters. @throws CommandFailure if the scanner does not report them */
export async function storedSource(scanner: Scanner): Promise<ParameterSource> {
  const values = await storedParameters(scanner);
  if (values === undefined) {
    throw new CommandFailure(
      `${scanner.url} does not tell what it has saved, as real scanners: compare with a backup file instead`,
      'refused',
    );
  }
  return { values, version: await firmwareVersion(scanner), known: await scanner.description.whole() };
}

/**
 * Reads a backup file.
 * @param known what is known of its names
 * @throws CommandFailure if the file cannot be read, or is not a backup
 */
export async function fileSource(
  path: string,
  passphrase: string | undefined,
  known: KnownInterface,
): Promise<ParameterSource> {
  const bytes = await bytesOfFile(path, { limit: maxFileBytes.backup });
  await requireBackup(path, bytes);
  requirePassphrase(path, bytes, passphrase);
  const content = await readBackupContent(bytes, passphrase);
  if (content === undefined)
    throw new CommandFailure(`${path} is in a format that only the scanner can read`);
  const values = backupParameters(content, known);
  if (values.size === 0) {
    throw new CommandFailure(`${path} has no parameters: expected a backup file, made by azimuth backup`);
  }
  return { values, version: content.version ?? '', known };
}

/** Returns the factory values of the parameters of another source, in its release. */
export function factorySource({ values, version, known }: ParameterSource): ParameterSource {
  const release = known.scanner?.release ?? releaseOf(version);
  const factory = factoryParameters({ release, variant: 'full' }, known);
  return { values: new Map([...factory].filter(([name]) => values.has(name))), version, known };
}

async function firmwareVersion(scanner: Scanner): Promise<string> {
  const ident = await scanner.readAny('DeviceIdent');
  return isObject(ident) && typeof ident.Version === 'string' ? ident.Version : '';
}

/** Returns a difference as a line: `LocationName = "Gate 3" → "Gate 4"`. */
export function differenceLine(difference: ParameterDifference): string {
  const { path, from, to } = difference;
  return `${path} = ${valueText(difference, from)} → ${valueText(difference, to)}`;
}

/** Returns a value of a difference in one line. Texts are quoted; `-` stands for a missing part. */
export function valueText({ shape, member, variable }: ParameterDifference, json: unknown): string {
  if (json === undefined) return '-';
  if (shape.kind === 'string') return jsonText(json);
  const unitOf = (of: string) => variable.unitOf(of === '' ? member : of);
  return oneLine(formatValue(shape, json, unitOf));
}
