import { inFile, type Mutant } from '../mutant.js';

/** Mutants of the area `merge`. */
export const mergeMutants: readonly Mutant[] = [
  ...inFile(
    'packages/device/src/scan-merge/scan-merge.ts',
    [
      'merge.saves',
      'computed(MergeSaving, () => this.saving)',
      'computed(MergeSaving, () => this.recording)',
    ],
    [
      'merge.running',
      'computed(MergeRunning, () => this.recording)',
      'computed(MergeRunning, () => this.saving)',
    ],
    [
      'merge.progress',
      'this.#setProgress(0);\n    this.#options.announcements.changed([MergeRunning]);',
      'this.#options.announcements.changed([MergeRunning]);',
    ],
    [
      'merge.cloud',
      'if (running !== undefined) this.#save(running.recording);',
      'if (running !== undefined) this.#setProgress(100);',
    ],
    ['merge.reset', 'await this.#file.remove();', ''],
    ['merge.off', 'if (!this.#enabled) {\n      throw', 'if (this.saving) {\n      throw'],
    ['merge.switched-off', 'if (!this.#enabled) this.stop();', 'if (!this.#enabled) this.#endRecording();'],
    [
      'merge.while-saving',
      'if (this.saving) {\n      throw',
      'if (this.saving && this.recording) {\n      throw',
    ],
    [
      'merge.stop-alone',
      'if (running !== undefined) this.#save(running.recording);',
      "if (running === undefined) throw new Refusal('illegalValue', '', 'no recording');\n    this.#save(running.recording);",
    ],
    [
      'merge.ends-by-itself',
      'const cancel = clock.after(longest, () => this.stop());',
      'const cancel = clock.after(4 * longest, () => this.stop());',
    ],
  ),
];
