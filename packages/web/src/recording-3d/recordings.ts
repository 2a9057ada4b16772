import { pause } from '@azimuth/async';
import { BodyTooLong, bodyPieces, bytesIn, ClientError, PcdError } from '@azimuth/client';
import { measurementDataOutput } from '@azimuth/model';
import { effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import { ofEachScanner, type ScannerLink } from '../connection/scanner-link.js';
import { type Cloud, parsePcd } from './cloud.js';

const { MergeSaving } = measurementDataOutput.members;

/** The recorder of a scanner. The page follows it also while other pages are shown. */
interface Recordings {
  readonly run: RecordingRun;
  readonly cloud: RecordedCloud;
}

/** Fetches the latest 3D recording when a page shows it first, and each time the scanner has saved one. */
export const recordingsOf = ofEachScanner((link): Recordings => {
  const cloud = new RecordedCloud(link.url);
  const run = new RecordingRun({
    isSaving: () => isSaving(link),
    saved: () => void cloud.fetch(),
    pause,
    now: () => performance.now(),
  });
  void cloud.fetch();
  // An input or another client may record, too.
  effect(() => {
    if (link.value(MergeSaving.name) === true) void untracked(() => run.stopped());
  });
  return { run, cloud };
});

/** A scanner that does not answer saves nothing; the fetch that follows shows the reason. */
async function isSaving(link: ScannerLink): Promise<boolean> {
  try {
    return (await link.scanner.readAny(MergeSaving.name)) === true;
  } catch (error) {
    if (error instanceof ClientError) return false;
    throw error;
  }
}

/** Longest duration of a 3D recording in ms. The scanner then ends and saves it. */
const longest = 30_000;
/** ms between two checks whether the recording is saved. */
const pollInterval = 300;
/** ms after the longest time until the first check whether the recording was saved. */
const grace = 1000;

export type RunState =
  | { readonly kind: 'idle' }
  /** @property since ms, by `now` */
  | { readonly kind: 'recording'; readonly since: number }
  | { readonly kind: 'saving' };

interface Options {
  /** Reads whether the scanner saves a 3D recording now (MergeSaving). */
  readonly isSaving: () => Promise<boolean>;
  /** A 3D recording was saved: the file is new. */
  readonly saved: () => void;
  readonly pause: (ms: number) => Promise<void>;
  /** ms */
  readonly now: () => number;
}

/**
 * A 3D recording that was started here. Not every scanner shows that it records (MergeRunning is not in the published
 * description). Therefore this counts the time, and checks itself whether the recording is saved.
 */
export class RecordingRun {
  readonly #options: Options;
  readonly #state: Signal<RunState> = signal({ kind: 'idle' });
  readonly state: ReadonlySignal<RunState> = this.#state;

  constructor(options: Options) {
    this.#options = options;
  }

  /** The scanner has begun. */
  async started(): Promise<void> {
    const { now, pause } = this.#options;
    const own: RunState = { kind: 'recording', since: now() };
    this.#state.value = own;
    await pause(longest + grace);
    if (this.#state.peek() === own) await this.stopped();
  }

  /** It was stopped, or has ended: waits until it is saved. Errors of the scanner end the waiting. */
  async stopped(): Promise<void> {
    if (this.#state.peek().kind === 'saving') return;
    const { isSaving, pause, saved } = this.#options;
    this.#state.value = { kind: 'saving' };
    try {
      while (await isSaving()) await pause(pollInterval);
    } finally {
      this.#state.value = { kind: 'idle' };
    }
    saved();
  }
}

/** Size in bytes above which a file is not fetched. */
const largestFile = 256_000_000;

/** The latest 3D recording of a scanner, as far as it is here. */
type CloudState =
  | { readonly kind: 'unknown' }
  /** @property bytes that are here, of `total`, which is undefined if the scanner does not say */
  | { readonly kind: 'fetching'; readonly bytes: number; readonly total: number | undefined }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly reason: string; readonly file: Uint8Array<ArrayBuffer> | undefined }
  | { readonly kind: 'loaded'; readonly cloud: Cloud; readonly file: Uint8Array<ArrayBuffer> };

/** Fetches the latest 3D recording of a scanner, and reads it. */
export class RecordedCloud {
  readonly #url: string;
  readonly #state: Signal<CloudState> = signal({ kind: 'unknown' });
  readonly state: ReadonlySignal<CloudState> = this.#state;
  #abort = new AbortController();

  /** @param url of the scanner */
  constructor(url: string) {
    this.#url = url;
  }

  /** Fetches it again, and stops a fetch that is still running. */
  async fetch(): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal: aborted } = this.#abort;
    const tell = (state: CloudState) => {
      if (!aborted.aborted) this.#state.value = state;
    };
    tell({ kind: 'fetching', bytes: 0, total: undefined });
    try {
      const response = await fetch(`${this.#url}/cloud.pcd`, { signal: aborted });
      if (response.status === 404) return tell({ kind: 'none' });
      if (!response.ok) return tell(failed(`The scanner answers HTTP ${response.status}.`));
      const file = await bytesOfResponse(response, (bytes, total) =>
        tell({ kind: 'fetching', bytes, total }),
      );
      tell(read(file));
    } catch (error) {
      tell(failed(error instanceof PcdError ? error.message : 'The connection to the scanner broke off.'));
    }
  }
}

function failed(reason: string, file?: Uint8Array<ArrayBuffer>): CloudState {
  return { kind: 'failed', reason, file };
}

function read(file: Uint8Array<ArrayBuffer>): CloudState {
  try {
    return { kind: 'loaded', cloud: parsePcd(file), file };
  } catch (error) {
    if (error instanceof PcdError) return failed(error.message, file);
    throw error;
  }
}

/** @throws PcdError if it is too large */
async function bytesOfResponse(
  response: Response,
  onProgress: (bytes: number, total: number | undefined) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = response.headers.get('Content-Length');
  const total = length === null ? undefined : Number(length);
  async function* pieces() {
    let bytes = 0;
    for await (const piece of bodyPieces(response.body)) {
      bytes += piece.length;
      onProgress(bytes, total);
      yield piece;
    }
  }
  try {
    return await bytesIn(pieces(), largestFile);
  } catch (error) {
    if (error instanceof BodyTooLong) throw new PcdError('The point cloud is too large to be shown.');
    throw error;
  }
}
