import { sameJson } from '@azimuth/model';
import { type Signal, signal } from '@preact/signals';

/** A setting that was changed here, with both values. */
export interface SettingChange {
  readonly name: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** Number of changes that can be undone. */
const mostChanges = 50;

/** The changes of settings that can be undone, the last one first. */
export class SettingChanges {
  readonly #changes: Signal<readonly SettingChange[]> = signal([]);

  /** Undefined if nothing can be undone. */
  get last(): SettingChange | undefined {
    return this.#changes.value.at(-1);
  }

  /** Records a change; nothing if the value is as before, or was not known. */
  add(change: SettingChange): void {
    if (change.from === undefined || sameJson(change.from, change.to)) return;
    this.#changes.value = [...this.#changes.peek(), change].slice(-mostChanges);
  }

  /** Forgets the last change, which was undone. */
  drop(change: SettingChange): void {
    this.#changes.value = this.#changes.peek().filter((one) => one !== change);
  }
}
