import type { KeyObject } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import {
  type CheckReport,
  type CheckTool,
  htmlReport,
  jsonReport,
  junitReport,
  sarifReport,
  signedReport,
} from '@azimuth/check';
import { CommandFailure } from '../command-failure.js';
import { privateKeyIn } from '../firmware/keys.js';
import { jsonText } from '../output/output.js';
import { OutputFile } from '../transfers/output-file.js';

/** Options of reports, as given. */
export interface ReportOptions {
  readonly json?: boolean;
  /** Paths of the files. */
  readonly report?: string;
  readonly html?: string;
  readonly junit?: string;
  readonly sarif?: string;
  /** Path of a private key that signs the JSON. */
  readonly key?: string;
  readonly profile?: string;
  readonly force?: boolean;
}

/** Options that name a file of a report. */
const formats = ['report', 'html', 'junit', 'sarif'] as const;
type Format = (typeof formats)[number];

/** The reports of a check in files, each with those of all scanners. */
export class ReportFiles {
  readonly #tool: CheckTool;
  readonly #files: ReadonlyMap<Format, OutputFile>;
  readonly #key: KeyObject | undefined;
  readonly #profile: string | undefined;

  private constructor(
    tool: CheckTool,
    files: ReadonlyMap<Format, OutputFile>,
    { key, profile }: { readonly key: KeyObject | undefined; readonly profile: string | undefined },
  ) {
    this.#tool = tool;
    this.#files = files;
    this.#key = key;
    this.#profile = profile;
  }

  /**
   * Checks the paths and reads the key. Call it before any request to a scanner: a check may take minutes.
   * @throws CommandFailure if a folder does not exist, a file exists and is not to be replaced, or the key is none
   */
  static async at(options: ReportOptions, tool: CheckTool): Promise<ReportFiles> {
    const { force = false, json = false, report, key, profile } = options;
    if (key !== undefined && report === undefined && !json)
      throw new CommandFailure('--key: signs JSON; give --report FILE or --json, too');
    const files = new Map<Format, OutputFile>();
    const paths = new Map<string, Format>();
    for (const format of formats) {
      const path = options[format];
      if (path === undefined) continue;
      const other = paths.get(resolve(path));
      if (other !== undefined) throw new CommandFailure(`--${format}: ${path} is the file of --${other}`);
      paths.set(resolve(path), format);
      await requireExistingFolder(format, path);
      files.set(format, await OutputFile.at(path, force));
    }
    const privateKey = key === undefined ? undefined : await privateKeyIn('--key', key);
    return new ReportFiles(tool, files, { key: privateKey, profile });
  }

  /** Returns the reports as one line of JSON, signed if there is a key. */
  json(reports: readonly CheckReport[]): string {
    const document = jsonReport(reports, this.#tool);
    return `${jsonText(this.#key === undefined ? document : signedReport(document, this.#key))}\n`;
  }

  /** Writes all files. @throws CommandFailure for the first that cannot be written, when the others are */
  async write(reports: readonly CheckReport[]): Promise<void> {
    const writings = [...this.#files].map(([format, file]) =>
      file.write(onePiece(this.#text(format, reports))),
    );
    for (const writing of await Promise.allSettled(writings))
      if (writing.status === 'rejected') throw writing.reason;
  }

  #text(format: Format, reports: readonly CheckReport[]): string {
    switch (format) {
      case 'report':
        return this.json(reports);
      case 'html':
        return htmlReport(reports, this.#tool);
      case 'junit':
        return junitReport(reports);
      case 'sarif': {
        const place = this.#profile === undefined ? undefined : placeOf(this.#profile);
        return `${jsonText(sarifReport(reports, this.#tool, place === undefined ? undefined : () => place))}\n`;
      }
    }
  }
}

/**
 * Returns a path as SARIF wants it: a URI relative to the working directory; undefined for a file outside of it, which code
 * scanning refuses.
 */
function placeOf(path: string): string | undefined {
  const below = relative('', path);
  if (isAbsolute(below) || below === '..' || below.startsWith(`..${sep}`)) return undefined;
  return below.split(sep).map(encodeURIComponent).join('/');
}

async function requireExistingFolder(format: Format, path: string): Promise<void> {
  const folder = dirname(path);
  const stats = await stat(folder).catch(() => undefined);
  if (stats === undefined)
    throw new CommandFailure(`--${format}: ${path} cannot be written: there is no folder ${folder}`);
  if (!stats.isDirectory())
    throw new CommandFailure(`--${format}: ${path} cannot be written: ${folder} is not a folder`);
}

async function* onePiece(text: string) {
  yield Buffer.from(text);
}
