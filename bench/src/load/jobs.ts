import { isObject } from '../json.js';

/** The members of every load. */
interface Load {
  readonly port: number;
  /** The server's process. Its CPU time is read when the measured time begins and ends. */
  readonly pid: number;
  readonly connections: number;
  /** Seconds before the measured time, and the measured time. */
  readonly warmup: number;
  readonly seconds: number;
}

/** Repeats one GET. Every response must have exactly this body. */
export interface GetJob extends Load {
  readonly kind: 'get';
  /** Asked in turn. */
  readonly paths: readonly string[];
  readonly body: string;
}

/** POSTs to one endpoint, and the expected response. */
export interface Posts {
  /** The endpoint's name, without `/api/`. */
  readonly endpoint: string;
  /** JSON of the payloads, used in rotation; none for a method without members. */
  readonly payloads: readonly string[];
  /** The expected body of the response to each POST. */
  readonly response: string;
}

/** Repeats a challenge and the POST that answers it. */
export interface PostJob extends Load, Posts {
  readonly kind: 'post';
  readonly user: string;
  readonly password: string;
  /** A POST before each of them, whose time does not count: a save writes only what has changed. */
  readonly before?: Posts | undefined;
}

/** Requests a path every millisecond until the first 200. */
export interface FirstResponseJob {
  readonly kind: 'first-response';
  readonly port: number;
  readonly path: string;
}

/** A load that lasts for a time. */
export type LoadJob = GetJob | PostJob;

export type Job = LoadJob | FirstResponseJob;

/** The result of a load. For a POST job, one operation is the challenge and the POST. */
export interface LoadResult {
  readonly operations: number;
  readonly seconds: number;
  /** Milliseconds of an operation. */
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds of the last request of an operation alone. */
  readonly lastP50: number;
  readonly lastP99: number;
  /** Seconds of CPU time in the measured time; NaN if the system does not report it. */
  readonly serverCpu: number;
  readonly loadCpu: number;
  /** Seconds for which the server or the load, whichever is more, waited for its core; NaN if not reported. */
  readonly waited: number;
}

/** Time of the first response: ms of the clock that all processes share. */
export interface FirstResponseResult {
  readonly at: number;
}

/** Jobs come only from our own main process, so checking the kind is enough. */
export function isJob(message: unknown): message is Job {
  return isObject(message) && kinds.some((kind) => kind === message.kind);
}

const kinds: readonly Job['kind'][] = ['get', 'post', 'first-response'];

export function isLoadResult(message: unknown): message is LoadResult {
  return isObject(message) && typeof message.operations === 'number';
}

export function isFirstResponseResult(message: unknown): message is FirstResponseResult {
  return isObject(message) && typeof message.at === 'number';
}
