import { ClientError } from '@azimuth/client';
import { measurementDataOutput } from '@azimuth/model';
import { effect, untracked } from '@preact/signals';
import type { ScannerLink } from '../connection/scanner-link.js';
import { RecordedCloud } from './recorded-cloud.js';
import { RecordingRun } from './recording-run.js';

const { MergeSaving } = measurementDataOutput.members;

/** The recorder of a scanner, as the page follows it, also while other pages are shown. */
export interface Recordings {
  readonly run: RecordingRun;
  readonly cloud: RecordedCloud;
}

const made = new WeakMap<ScannerLink, Recordings>();

/** Fetches the latest 3D recording when it is first asked for, and each time the scanner has saved one. */
export function recordingsOf(link: ScannerLink): Recordings {
  const known = made.get(link);
  if (known !== undefined) return known;
  const cloud = new RecordedCloud(link.url);
  const run = new RecordingRun({
    isSaving: () => isSaving(link),
    saved: () => void cloud.fetch(),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    now: () => performance.now(),
  });
  made.set(link, { run, cloud });
  void cloud.fetch();
  // An input or somebody else may record, too.
  effect(() => {
    if (link.value(MergeSaving.name) === true) void untracked(() => run.stopped());
  });
  return { run, cloud };
}

/** A scanner that is gone saves nothing; the fetch that follows says so. */
async function isSaving(link: ScannerLink): Promise<boolean> {
  try {
    return (await link.scanner.readAny(MergeSaving.name)) === true;
  } catch (error) {
    if (error instanceof ClientError) return false;
    throw error;
  }
}
