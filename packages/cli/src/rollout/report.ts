import { counted } from '@azimuth/model';
import type { RolloutOptions } from '../options/command.js';
import { jsonText, print, remark } from '../output/output.js';
import { labelList } from '../scanners/chosen.js';
import type { JournalEntry } from './journal-entry.js';

/** The scanners of a run at its end. */
export interface RolloutSummary {
  readonly done: readonly string[];
  readonly failed: readonly string[];
  /** Those whose change has not begun. */
  readonly left: readonly string[];
  readonly journal: string;
}

/**
 * Tells how a run goes, on stderr: in lines for people, or with `--json` in the lines of its journal. The summary of a
 * run is its last line on stdout with `--json`.
 */
export class RolloutReport {
  readonly #options: RolloutOptions;

  constructor(options: RolloutOptions) {
    this.#options = options;
  }

  step(number: number, count: number, labels: readonly string[]): void {
    this.#tell(`step ${number} of ${count}: ${labelList(labels.map((label) => ({ label })))}`);
  }

  nothingBegun(): void {
    this.#tell('a scanner failed before the first step, so nothing was begun');
  }

  /** @param done what is done already: `12 of 20 scanners` */
  resumed(done: string): void {
    this.#tell(`${done} are done already`);
  }

  inDoubt(label: string): void {
    this.#tell(`${label}: its change broke off; it is asked how it is now`);
  }

  entry(entry: JournalEntry, told?: string): void {
    if (this.#options.json === true) {
      if (this.#options.quiet !== true) process.stderr.write(`${jsonText(entry)}\n`);
    } else if (told !== undefined) this.#tell(told);
  }

  pause(seconds: number): void {
    this.#tell(`${counted(seconds, 'second')} until the next step`);
  }

  /** @param goOn the command that goes on */
  async summary({ done, failed, left, journal }: RolloutSummary, goOn: string): Promise<void> {
    const isOver = failed.length + left.length === 0;
    if (this.#options.json === true) {
      const resume = isOver ? undefined : goOn;
      await print(`${jsonText({ rollout: { done, failed, left, journal, resume } })}\n`);
      return;
    }
    if (isOver && this.#options.quiet === true) return;
    const counts = [
      `${done.length} done`,
      ...(failed.length === 0 ? [] : [`${failed.length} failed (${failed.join(', ')})`]),
      ...(left.length === 0 ? [] : [`${left.length} not begun (${labelList(left.map(asLabelled))})`]),
    ];
    remark(`${counts.join(', ')}; the journal is ${journal}`);
    if (!isOver) remark(`it goes on with: ${goOn}`);
  }

  #tell(text: string): void {
    if (this.#options.quiet !== true && this.#options.json !== true) remark(text);
  }
}

function asLabelled(label: string): { readonly label: string } {
  return { label };
}

/** Returns the command line that goes on with a run, for pasting into a shell. */
export function commandThatGoesOn(words: readonly string[], journal: string): string {
  const kept: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--journal' || word === '--resume') at++;
    else if (!/^--(journal|resume)=/.test(word)) kept.push(word);
  }
  const end = kept.indexOf('--');
  const place = end < 0 ? kept.length : end;
  const all = [...kept.slice(0, place), '--resume', journal, ...kept.slice(place)];
  return ['azimuth', ...all].map(quoted).join(' ');
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
