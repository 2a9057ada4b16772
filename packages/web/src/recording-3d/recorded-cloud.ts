import { BodyTooLong, bytesIn, piecesOf } from '@azimuth/client';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type Cloud, PcdError, parsePcd } from './pcd.js';

/** Bytes: files that are larger are not fetched. */
export const largestFile = 256_000_000;

/** The latest 3D recording of a scanner, as far as it is here. */
export type CloudState =
  | { readonly kind: 'unknown' }
  /** @property bytes that are here, of `total`, which is undefined if the scanner does not say */
  | { readonly kind: 'fetching'; readonly bytes: number; readonly total: number | undefined }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly reason: string; readonly file: Uint8Array<ArrayBuffer> | undefined }
  | { readonly kind: 'there'; readonly cloud: Cloud; readonly file: Uint8Array<ArrayBuffer> };

/** Fetches the latest 3D recording of a scanner, and reads it. */
export class RecordedCloud {
  readonly #url: string;
  readonly #state: Signal<CloudState> = signal({ kind: 'unknown' });
  #abort = new AbortController();

  /** @param url of the scanner */
  constructor(url: string) {
    this.#url = url;
  }

  get state(): ReadonlySignal<CloudState> {
    return this.#state;
  }

  /** Fetches it again; what is being fetched is given up. */
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
      const file = await whole(response, (bytes, total) => tell({ kind: 'fetching', bytes, total }));
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
    return { kind: 'there', cloud: parsePcd(file), file };
  } catch (error) {
    if (error instanceof PcdError) return failed(error.message, file);
    throw error;
  }
}

/** @throws PcdError if it is too large */
async function whole(
  response: Response,
  onProgress: (bytes: number, total: number | undefined) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = response.headers.get('Content-Length');
  const total = length === null ? undefined : Number(length);
  async function* told() {
    let bytes = 0;
    for await (const piece of piecesOf(response.body)) {
      bytes += piece.length;
      onProgress(bytes, total);
      yield piece;
    }
  }
  try {
    return await bytesIn(told(), largestFile);
  } catch (error) {
    if (error instanceof BodyTooLong) throw new PcdError('The point cloud is too large to be shown.');
    throw error;
  }
}
