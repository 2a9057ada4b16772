import { pause } from '@azimuth/async';
import { CommandFailure } from '../command-failure.js';
import type { RolloutOptions } from '../options/command.js';
import { describeFailures } from '../output/failures.js';
import { untilInterrupted } from '../output/output.js';
import { chosenScanners } from '../scanners/chosen.js';
import { scannerAt } from '../scanners/connection.js';
import { type Change, Scanners, type Steps } from '../scanners/each-scanner.js';
import type { Target } from '../scanners/target.js';
import { answering } from './answering.js';
import { healthBefore, requireHealthAsBefore } from './health.js';
import { doneText, Journal, type JournalContent, readJournal } from './journal.js';
import { type JournalEntry, type JournalHead, journalVersion } from './journal-entry.js';
import { commandThatGoesOn, RolloutReport } from './report.js';
import { requireSameRun } from './resumed.js';
import type { RolloutSubject } from './subject.js';

/** Default of `--settle`, in s. */
const usualSettle = 120;

/** Maximum characters of an error in the journal: it may contain text of a scanner. */
const maxErrorLength = 1000;

/** Runs a command in steps; with `--resume`, over the scanners that a run has left. @throws as withRollout */
export async function runRollout(
  options: RolloutOptions,
  subject: RolloutSubject,
  act: (scanners: Scanners) => Promise<void>,
): Promise<void> {
  const chosen = await chosenScanners(options);
  const { targets } = chosen;
  const before = options.resume === undefined ? undefined : await resumed(options, subject, targets);
  const head = before?.head ?? newHead(options, subject, targets);
  const settings = {
    rolling: options.rolling ?? head.rolling,
    pause: options.pause ?? head.pause,
    health: options.health ?? head.health,
    settle: options.settle ?? usualSettle,
  };
  if (settings.health === 'doctor') for (const target of targets) scannerAt(target); // Reports a legacy URL.
  const report = new RolloutReport(options);
  const isDone = ({ label }: Target) => before?.states.get(label)?.state === 'done';
  const left = targets.filter((target) => !isDone(target));
  const [first, ...others] = left;
  const path = before?.path ?? options.journal ?? usualPath(subject.command, head.at);
  const goOn = commandThatGoesOn(subject.words, path);
  if (first === undefined) {
    await report.summary(
      { done: targets.map(({ label }) => label), failed: [], left: [], journal: path },
      goOn,
    );
    return;
  }
  await Promise.all(
    left.filter(({ label }) => before?.begun.has(label)).map((target) => answering(target, report)),
  );
  const openJournal = () => (before === undefined ? Journal.create(path, head) : Journal.goOn(before));
  const run = new RolloutRun({ settings, report, targets, before, openJournal, path, goOn });
  const scanners = new Scanners({ targets: [first, ...others], several: chosen.several }, options, run);
  await act(scanners);
  scanners.finish();
  run.requireEnd();
}

async function resumed(
  { resume = '', journal = resume }: RolloutOptions,
  subject: RolloutSubject,
  targets: readonly Target[],
): Promise<JournalContent> {
  if (journal !== resume) throw new CommandFailure('--resume names the journal: leave --journal out');
  const content = await readJournal(resume);
  requireSameRun(content, subject, targets);
  return content;
}

function newHead(
  { rolling = 1, pause: seconds = 0, health = 'doctor' }: RolloutOptions,
  { command, words, facts }: RolloutSubject,
  targets: readonly Target[],
): JournalHead {
  return {
    rollout: journalVersion,
    at: new Date().toISOString(),
    command,
    words: [...words],
    facts,
    scanners: targets.map(({ label, url }) => ({ scanner: label, url })),
    rolling,
    pause: seconds,
    health,
  };
}

function usualPath(command: string, at: string): string {
  return `./azimuth-rollout-${command.replaceAll(' ', '-')}-${at.replaceAll(':', '-')}.jsonl`;
}

interface RunOptions {
  readonly settings: Required<Pick<RolloutOptions, 'rolling' | 'pause' | 'health' | 'settle'>>;
  readonly report: RolloutReport;
  /** All scanners of the run, also those that are done. */
  readonly targets: readonly Target[];
  /** The work so far; undefined for a new run. */
  readonly before: JournalContent | undefined;
  readonly openJournal: () => Promise<Journal>;
  readonly path: string;
  readonly goOn: string;
}

/** A change with what it needs for one scanner. */
interface OneChange {
  readonly change: Change;
  readonly journal: Journal;
  readonly signal: AbortSignal;
}

/** Serves scanners in steps, and writes the journal. */
class RolloutRun implements Steps {
  readonly #options: RunOptions;
  readonly #done = new Set<string>();
  readonly #failed = new Set<string>();
  /** False if there was nothing to do. */
  #isBegun = false;

  constructor(options: RunOptions) {
    this.#options = options;
    for (const [label, { state }] of options.before?.states ?? [])
      if (state === 'done') this.#done.add(label);
  }

  async run(change: Change, { targets, hasFailed, serve }: Parameters<Steps['run']>[1]): Promise<void> {
    // A scanner that cannot be asked before the first step would be the first failure.
    this.#isBegun = true;
    if (hasFailed) {
      this.#options.report.nothingBegun();
      return;
    }
    const { settings, report, openJournal, before } = this.#options;
    const journal = await openJournal();
    if (before !== undefined) report.resumed(doneText(before));
    const steps = inSteps(targets, settings.rolling);
    try {
      await untilInterrupted(async (signal) => {
        for (const [index, step] of steps.entries()) {
          if (index > 0 && settings.pause > 0) {
            report.pause(settings.pause);
            await pause(settings.pause * 1000, signal);
          }
          if (signal.aborted) return;
          report.step(
            index + 1,
            steps.length,
            step.map(({ label }) => label),
          );
          await serve(step, (target, output) =>
            this.#changed(target, { change, journal, signal }, () => change.act(target, output)),
          );
          if (this.#failed.size > 0) return;
        }
      });
    } finally {
      await journal.close();
      await this.#summarize();
    }
  }

  /** @throws CommandFailure if the run was interrupted */
  requireEnd(): void {
    if (!this.#isBegun) return;
    const left = this.#options.targets.length - this.#done.size;
    if (left > 0)
      throw new CommandFailure(`the run was interrupted; ${left} of its scanners are left`, 'refused');
  }

  /** Changes one scanner, or finds that it is changed. @throws what the change throws, after a line in the journal */
  async #changed(
    target: Target,
    { change, journal, signal }: OneChange,
    act: () => Promise<void>,
  ): Promise<void> {
    const { settings, before, report } = this.#options;
    const { label } = target;
    const add = async (entry: JournalEntry, told?: string) => {
      await journal.add(entry);
      report.entry(entry, told);
    };
    const begin = performance.now();
    try {
      const begun = before?.begun.get(label);
      const isChanged = begun !== undefined && (await change.isInForce(target, begun.before));
      const isLookedAt = settings.health === 'doctor';
      const problems = begun?.problems ?? (isLookedAt ? await healthBefore(target) : null);
      if (!isChanged) {
        const facts = begun?.before ?? (await change.readBefore?.(target)) ?? {};
        await add({ state: 'begun', at: now(), scanner: label, before: facts, problems });
        await act();
      }
      if (isLookedAt && problems !== null) {
        await requireHealthAsBefore(target, problems, settings.settle * 1000, signal);
      }
      const seconds = ((performance.now() - begin) / 1000).toFixed(1);
      const how = isChanged ? 'was done already' : `done in ${seconds} s`;
      await add({ state: 'done', at: now(), scanner: label, verified: isChanged }, `${label}: ${how}`);
      this.#done.add(label);
    } catch (error) {
      this.#failed.add(label);
      const { failures } = await describeFailures(error);
      const text = failures.map(({ line }) => line).join('; ');
      await add(
        { state: 'failed', at: now(), scanner: label, error: text.slice(0, maxErrorLength) },
        `${label}: failed`,
      );
      throw error;
    }
  }

  async #summarize(): Promise<void> {
    const { report, targets, path, goOn } = this.#options;
    const labels = targets.map(({ label }) => label);
    const done = labels.filter((label) => this.#done.has(label));
    const failed = labels.filter((label) => this.#failed.has(label));
    const left = labels.filter((label) => !this.#done.has(label) && !this.#failed.has(label));
    await report.summary({ done, failed, left, journal: path }, goOn);
  }
}

function inSteps(targets: readonly Target[], length: number): readonly (readonly Target[])[] {
  return Array.from({ length: Math.ceil(targets.length / length) }, (_, step) =>
    targets.slice(step * length, (step + 1) * length),
  );
}

function now(): string {
  return new Date().toISOString();
}
