import { NotDoneError, type Updated, type UpdateStage } from '@azimuth/client';
import { extensions, firmwareUpdate, largestFirmware, UpdateState as states } from '@azimuth/model';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type KnownValues, knownValue } from '../connection/declarations.js';
import { ofEachScanner, type ScannerLink } from '../connection/scanner-link.js';
import { Job } from '../parts/jobs.js';
import { sizeText } from '../parts/texts.js';

/** Endings of firmware files. */
export const firmwareEndings = '.spk,.signed';

/** Text of each stage. */
export const stageWords: Readonly<Record<UpdateStage, string>> = {
  sending: 'Sending the file',
  installing: 'The scanner checks the file and installs it',
  rebooting: 'The scanner restarts with the new firmware',
};

/** The stages of an update, in their order. */
export const stages = ['sending', 'installing', 'rebooting'] as const satisfies readonly UpdateStage[];

/** Returns the result of the last update, or its progress, also if it was begun elsewhere. */
export function lastUpdateText(known: KnownValues): string {
  const report = knownValue(known, extensions.members.firmware);
  switch (knownValue(known, firmwareUpdate.members.UpdateState)) {
    case states.Initial:
      return 'None since the scanner started';
    case states.Started:
      return report === undefined ? 'It is going on' : `It is going on: ${report.Progress} %`;
    case states.Finished:
      return 'Installed';
    case states.Error: {
      const reason = report?.Fault ?? '';
      return `${reason === '' ? 'Refused.' : `Failed: ${reason.replace(/[.!?]$/, '')}.`} The firmware is what it was before.`;
    }
    default:
      return '…';
  }
}

/** The update of one scanner. It continues while other pages are shown. */
export class FirmwareUpdate {
  readonly job = new Job<Updated>();
  readonly #file: Signal<File | undefined> = signal(undefined);
  /** The file that was chosen. */
  readonly file: ReadonlySignal<File | undefined> = this.#file;

  /** The stage that it is in, or failed in; undefined if it is in none. */
  get stage(): UpdateStage | undefined {
    const state = this.job.state.value;
    if (state.kind !== 'running' && state.kind !== 'failed') return undefined;
    return stages.find((stage) => stageWords[stage] === state.stage);
  }

  choose(file: File): void {
    this.job.clear();
    this.#file.value = file;
  }

  /** Sends the file, and follows the scanner until it is back. */
  install(link: ScannerLink): Promise<void> {
    return this.job.run(stageWords.sending, async (tell) => {
      const file = this.#file.peek();
      if (file === undefined) throw new NotDoneError('', 'no file', 'choose a file first');
      assertSize(file);
      const hold = (event: Event) => event.preventDefault();
      addEventListener('beforeunload', hold);
      try {
        const updated = await link.scanner.update(file, {
          onProgress: (bytes, total) => tell(stageWords.sending, bytes, total),
          onStage: (stage) => {
            tell(stageWords[stage]);
            if (stage === 'installing') removeEventListener('beforeunload', hold);
            if (stage === 'rebooting') link.absences.expect('restarts with new firmware');
          },
          onInstallProgress: (percent) => tell(stageWords.installing, percent, 100),
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
export function assertSize({ name, size }: File): void {
  if (size === 0) throw new NotDoneError(name, 'empty', 'the file is empty');
  if (size > largestFirmware) {
    const sizes = `it has ${sizeText(size)}, and a scanner takes at most ${sizeText(largestFirmware)}`;
    throw new NotDoneError(name, 'too large', sizes);
  }
}

export const firmwareUpdateOf = ofEachScanner(() => new FirmwareUpdate());
