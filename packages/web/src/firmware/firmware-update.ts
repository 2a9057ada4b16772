import { NotDoneError, type Updated, type UpdateStage } from '@azimuth/client';
import { firmwareUpdate, largestFirmware } from '@azimuth/model';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ScannerLink } from '../connection/scanner-link.js';
import { sizeText } from '../parts/files.js';
import { Job } from '../parts/jobs.js';

const words: Readonly<Record<UpdateStage, string>> = {
  sending: 'Sending the file',
  installing: 'The scanner checks the file and installs it',
  rebooting: 'The scanner restarts with the new firmware',
};

/** The stages of an update, in their order, with what happens. */
export const stages: readonly (readonly [UpdateStage, string])[] = [
  ['sending', words.sending],
  ['installing', words.installing],
  ['rebooting', words.rebooting],
];

/** The update of one scanner. It goes on while other pages are shown. */
export class FirmwareUpdate {
  readonly job = new Job<Updated>();
  readonly #file: Signal<File | undefined> = signal(undefined);
  readonly #stage: Signal<UpdateStage> = signal('sending');

  /** The file that was chosen. */
  get file(): ReadonlySignal<File | undefined> {
    return this.#file;
  }

  /** What is done, or was done last. */
  get stage(): ReadonlySignal<UpdateStage> {
    return this.#stage;
  }

  choose(file: File): void {
    this.job.clear();
    this.#file.value = file;
  }

  /** Sends the file, and follows the scanner until it is back. */
  install(link: ScannerLink): Promise<void> {
    return this.job.run(words.sending, async (tell) => {
      const file = this.#file.peek();
      if (file === undefined) throw new NotDoneError('', 'no file', 'choose a file first');
      this.#stage.value = 'sending';
      assertSize(file);
      const hold = (event: Event) => event.preventDefault();
      addEventListener('beforeunload', hold);
      try {
        const updated = await link.scanner.update(file, {
          onProgress: (bytes, total) => tell(words.sending, bytes, total),
          onStage: (stage) => {
            this.#stage.value = stage;
            tell(words[stage]);
            if (stage === 'installing') removeEventListener('beforeunload', hold);
            if (stage === 'rebooting') link.absences.expect('restarts with new firmware');
          },
        });
        link.history.called(firmwareUpdate.members.RunFirmwareUpdate.name, undefined);
        link.readings.readAll();
        return updated;
      } finally {
        removeEventListener('beforeunload', hold);
      }
    });
  }
}

/** @throws NotDoneError for a file that no scanner takes, before it is sent */
function assertSize({ name, size }: File): void {
  if (size === 0) throw new NotDoneError(name, 'empty', 'the file is empty');
  if (size > largestFirmware) {
    const sizes = `it has ${sizeText(size)}, and a scanner takes at most ${sizeText(largestFirmware)}`;
    throw new NotDoneError(name, 'too large', sizes);
  }
}

const updates = new WeakMap<ScannerLink, FirmwareUpdate>();

export function firmwareUpdateOf(link: ScannerLink): FirmwareUpdate {
  const update = updates.get(link) ?? new FirmwareUpdate();
  updates.set(link, update);
  return update;
}
