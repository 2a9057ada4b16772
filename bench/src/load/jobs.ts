import { isObject } from '../json.js';

/** What all loads have in common. */
interface Load {
  readonly port: number;
  /** The server's process, whose CPU time is read when the measured time begins and ends. */
  readonly pid: number;
  readonly connections: number;
  /** Seconds before the measured time, and the measured time. */
  readonly warmup: number;
  readonly seconds: number;
}

/** The same GET over and over; every reply has to have exactly this body. */
export interface GetJob extends Load {
  readonly kind: 'get';
  readonly path: string;
  readonly body: string;
}

/** A challenge, and a POST that answers it, over and over. */
export interface PostJob extends Load {
  readonly kind: 'post';
  /** The endpoint's name, without `/api/`. */
  readonly endpoint: string;
  readonly user: string;
  readonly password: string;
  /** JSON of the payloads, which take turns; none for a method without members. */
  readonly payloads: readonly string[];
  /** The body that has to answer each POST. */
  readonly reply: string;
}

/** The same request of the legacy protocol over and over; every answer has to be exactly this one. All are Latin-1. */
export interface LegacyJob extends Load {
  readonly kind: 'legacy';
  /** Sent first on every connection, where it is stated; its answer does not matter. */
  readonly login?: string;
  readonly request: string;
  readonly answer: string;
}

/** Asks every millisecond until the first 200. */
export interface FirstAnswerJob {
  readonly kind: 'first-answer';
  readonly port: number;
  readonly path: string;
}

/** One PUT of so many bytes. */
export interface UploadJob {
  readonly kind: 'upload';
  readonly port: number;
  readonly path: string;
  readonly bytes: number;
}

/** A load that is kept up for a time. */
export type LoadJob = GetJob | PostJob | LegacyJob;

export type Job = LoadJob | FirstAnswerJob | UploadJob;

/** What a load has measured. For a POST job, one operation is the challenge and the POST. */
export interface LoadResult {
  readonly operations: number;
  readonly seconds: number;
  /** Milliseconds of an operation. */
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds of the last request of an operation alone. */
  readonly lastP50: number;
  readonly lastP99: number;
  /** Seconds of CPU time in the measured time; NaN where the system does not tell. */
  readonly serverCpu: number;
  readonly loadCpu: number;
  /** Seconds for which the server, or the load if that is more, had to wait for its core; NaN likewise. */
  readonly waited: number;
}

/** When the first answer came: milliseconds of the clock that all processes share. */
export interface FirstAnswerResult {
  readonly at: number;
}

/** From the first byte of the request to the answer. */
export interface UploadResult {
  readonly milliseconds: number;
}

/** Jobs come from our own main process, whole: the kind tells all. */
export function isJob(message: unknown): message is Job {
  return isObject(message) && kinds.some((kind) => kind === message.kind);
}

const kinds: readonly Job['kind'][] = ['get', 'post', 'legacy', 'first-answer', 'upload'];

export function isUploadResult(message: unknown): message is UploadResult {
  return isObject(message) && typeof message.milliseconds === 'number';
}

export function isLoadResult(message: unknown): message is LoadResult {
  return isObject(message) && typeof message.operations === 'number';
}

export function isFirstAnswerResult(message: unknown): message is FirstAnswerResult {
  return isObject(message) && typeof message.at === 'number';
}
