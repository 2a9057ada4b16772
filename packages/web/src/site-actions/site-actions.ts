import { concurrently } from '@azimuth/async';
import { Scanner, ScannerError } from '@azimuth/client';
import type { SiteScanner } from '@azimuth/http/site';
import { type LoginLevel, reaches } from '@azimuth/model';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Planned, SiteAct } from './site-acts.js';
import { failureText, SiteRun } from './site-run.js';

/** Scanners that are asked at the same time what an act would change. */
const checkedAtOnce = 4;

/** The login that is tried at each scanner. It stays in the memory of the page, until the act is closed. */
export interface SiteLogin {
  readonly user: LoginLevel;
  readonly password: string;
}

/** One of the chosen scanners, and what an act will do to it. */
export interface PlanEntry {
  readonly row: SiteScanner;
  readonly scanner: Scanner;
  /** Undefined until it is known. */
  readonly planned: ReadonlySignal<Planned | undefined>;
}

/** Stage of an act: chosen, planned, or running. */
export type Stage =
  /** Nothing is chosen to be done. */
  | { readonly kind: 'idle' }
  /** @property isChecked true when everything is known that was asked */
  | {
      readonly kind: 'plan';
      readonly act: SiteAct;
      readonly entries: readonly PlanEntry[];
      readonly isChecked: ReadonlySignal<boolean>;
    }
  | { readonly kind: 'run'; readonly act: SiteAct; readonly run: SiteRun<PlanEntry> };

export interface RunSettings {
  readonly atOnce: number;
  readonly stopsAtFailure: boolean;
}

/** An act at the chosen scanners: first what it would change at each, then the run. It goes on while other pages are shown. */
export class SiteActions {
  readonly #urlAt: (path: string) => string;
  readonly #stage: Signal<Stage> = signal({ kind: 'idle' });
  readonly stage: ReadonlySignal<Stage> = this.#stage;
  #settings: RunSettings = { atOnce: 1, stopsAtFailure: true };

  /** @param urlAt returns the URL at which the page reaches the scanner of a path */
  constructor(urlAt: (path: string) => string) {
    this.#urlAt = urlAt;
  }

  /** True while something is done: the page must not be left. */
  get isRunning(): boolean {
    const stage = this.#stage.value;
    return stage.kind === 'run' && stage.run.isRunning.value;
  }

  /** Tries the login at each scanner, and asks what the act would change. Resolves when all have answered. */
  async check(act: SiteAct, rows: readonly SiteScanner[], login: SiteLogin): Promise<void> {
    const isChecked = signal(false);
    const entries = rows.map((row) => ({
      row,
      scanner: new Scanner({ url: this.#urlAt(row.path), ...login }),
      planned: signal<Planned | undefined>(undefined),
    }));
    const stage: Stage = { kind: 'plan', act, entries, isChecked };
    this.#stage.value = stage;
    await concurrently(checkedAtOnce, entries, async ({ row, scanner, planned }) => {
      // After Cancel, nobody else gets the login.
      if (this.#stage.peek() !== stage) return;
      planned.value = await this.#plan(act, row, scanner);
    });
    isChecked.value = true;
  }

  async #plan(act: SiteAct, row: SiteScanner, scanner: Scanner): Promise<Planned> {
    try {
      await scanner.call('checkCredentials');
    } catch (error) {
      const isDenied = error instanceof ScannerError && error.statusName === 'accessDenied';
      return {
        kind: 'cannot',
        why: isDenied
          ? `It does not accept this password for ${scanner.user}, or its logins are locked.`
          : this.#shown(failureText(error), row),
      };
    }
    try {
      return await act.plan(scanner, row);
    } catch (error) {
      return { kind: 'cannot', why: this.#shown(failureText(error), row) };
    }
  }

  /** Does the act at those that it changes. Resolves when it has ended. */
  async run(settings: RunSettings): Promise<void> {
    const stage = this.#stage.peek();
    if (stage.kind !== 'plan') return;
    this.#settings = settings;
    await this.#start(
      stage.act,
      stage.entries.filter(({ planned }) => planned.peek()?.kind === 'changes'),
    );
  }

  /** Does the act again at those that failed or were not begun. */
  async runLeft(): Promise<void> {
    const stage = this.#stage.peek();
    if (stage.kind === 'run') await this.#start(stage.act, stage.run.left);
  }

  /** Begins nothing new. What is begun is brought to its end. */
  stop(): void {
    const stage = this.#stage.peek();
    if (stage.kind === 'run') stage.run.stop();
  }

  /** Forgets the act, and the login. */
  close(): void {
    if (!this.isRunning) this.#stage.value = { kind: 'idle' };
  }

  async #start(act: SiteAct, entries: readonly PlanEntry[]): Promise<void> {
    const perform = async ({ scanner, row }: PlanEntry, tell: (stage: string) => void) => {
      try {
        return await act.perform(scanner, row, tell);
      } catch (error) {
        throw new Error(this.#shown(failureText(error), row), { cause: error });
      }
    };
    const run = new SiteRun(entries, perform, this.#settings);
    this.#stage.value = { kind: 'run', act, run };
    const hold = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', hold);
    try {
      await run.start();
    } finally {
      removeEventListener('beforeunload', hold);
    }
  }

  /** Names the scanner as people do: its address, and not the way from this page. */
  #shown(text: string, { path, url }: SiteScanner): string {
    return text.replaceAll(this.#urlAt(path), url);
  }
}

/** The levels that are enough for an act. */
export function levelsFor({ level }: SiteAct, levels: readonly LoginLevel[]): readonly LoginLevel[] {
  return levels.filter((one) => reaches(one, level));
}
