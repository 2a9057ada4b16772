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
import { isObject, releaseOf } from '@azimuth/model';
import { nearestName } from '@azimuth/wording';
import { CommandFailure } from '../command-failure.js';
import { bytesOfFile, longestFile } from '../input/bounded-file.js';
import { jsonText } from '../output/output.js';
import { contentOf, requireBackup, requirePassphrase } from '../restore/backup-file.js';
import { formatValue, oneLineOf } from '../values/format-value.js';

/** One side of a comparison. */
export interface Side {
  readonly values: ParameterValues;
  /** The version of the firmware that they are of: `2.4.4.0R`. */
  readonly version: string;
}

/** Words that mean parameters of a scanner, or of none. */
const sideWords = ['working', 'stored', 'factory'] as const;
type SideWord = (typeof sideWords)[number];

export function isSideWord(word: string): word is SideWord {
  return sideWords.some((side) => side === word);
}

/** Does a word name a scanner, and not a file? A file that is there counts as a file. */
export async function namesScanner(word: string): Promise<boolean> {
  if (isSideWord(word)) return false;
  if (word.startsWith('@') || /^https?:\/\//i.test(word)) return true;
  const found = await stat(word).catch(() => undefined);
  return found === undefined && !/[/\\]|\.(json|gz|bin|bak|backup|txt|ya?ml)$/i.test(word);
}

/**
 * Refuses a word that is nearly `factory`, `stored` or `working`: as the name of a host it would be looked up in the network.
 * @throws CommandFailure
 */
export async function refuseMistypedSide(word: string): Promise<void> {
  if (isSideWord(word) || !/^[a-z]+$/i.test(word) || !(await namesScanner(word))) return;
  const meant = nearestName(word, sideWords);
  if (meant === undefined) return;
  throw new CommandFailure(
    `"${word}" is no side: did you mean ${meant}? For a scanner of this name: http://${word}`,
  );
}

/** The parameters that a scanner has now. */
export async function workingSide(scanner: Scanner): Promise<Side> {
  return { values: await workingParameters(scanner), version: await versionOf(scanner) };
}

/** @throws CommandFailure if the scanner does not tell what it has saved */
export async function storedSide(scanner: Scanner): Promise<Side> {
  const values = await storedParameters(scanner);
  if (values === undefined) {
    throw new CommandFailure(
      `${scanner.url} does not tell what it has saved, as real scanners: compare with a backup file instead`,
      'refused',
    );
  }
  return { values, version: await versionOf(scanner) };
}

/** @throws CommandFailure if the file cannot be read, or is no backup */
export async function fileSide(path: string, passphrase: string | undefined): Promise<Side> {
  const bytes = await bytesOfFile(path, { limit: longestFile.backup });
  await requireBackup(path, bytes);
  requirePassphrase(path, bytes, passphrase);
  const content = await contentOf(bytes, passphrase);
  if (content === undefined)
    throw new CommandFailure(`${path} is in a format that only the scanner can read`);
  const values = backupParameters(content);
  if (values.size === 0) {
    throw new CommandFailure(`${path} has no parameters: expected a backup file, made by azimuth backup`);
  }
  return { values, version: content.version ?? '' };
}

/** The factory values of the parameters of another side, in its release. */
export function factorySide({ values, version }: Side): Side {
  const factory = factoryParameters({ release: releaseOf(version), variant: 'full' });
  return { values: new Map([...factory].filter(([name]) => values.has(name))), version };
}

async function versionOf(scanner: Scanner): Promise<string> {
  const ident = await scanner.readAny('DeviceIdent');
  return isObject(ident) && typeof ident.Version === 'string' ? ident.Version : '';
}

/** A difference as a line: `LocationName = "Gate 3" → "Gate 4"`. */
export function lineOf(difference: ParameterDifference): string {
  const { path, from, to } = difference;
  return `${path} = ${valueText(difference, from)} → ${valueText(difference, to)}`;
}

/** A value of a difference in one line. Texts are quoted; `-` stands for a part that is not there. */
export function valueText({ shape, member, variable }: ParameterDifference, json: unknown): string {
  if (json === undefined) return '-';
  if (shape.kind === 'string') return jsonText(json);
  const unitOf = (of: string) => variable.unitOf(of === '' ? member : of);
  return oneLineOf(formatValue(shape, json, unitOf));
}
