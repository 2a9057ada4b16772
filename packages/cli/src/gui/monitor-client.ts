import { BodyTooLong, bodyPieces, textIn } from '@azimuth/client';
import {
  mostEntries,
  mostListed,
  type SiteCurve,
  type SiteCurvePoints,
  type SiteLog,
  type SiteScanner,
  SiteUnavailable,
  siteListPath,
  siteLogSeverities,
  siteSeverities,
} from '@azimuth/http';
import { z } from 'zod';

/** Time limit (ms) of an answer. */
const responseTimeout = 10_000;

/** Most bytes of an answer: a list of 500 scanners, each with 20 lines of trouble, needs less. */
const maxResponseBytes = 8 * 1024 * 1024;

/** Scanners that are taken over: the paths of the server have four digits. */
const mostScanners = 10_000;

const line = z.string().transform((text) => text.slice(0, 500));
const number = z.number().optional().catch(undefined);
const optionalLine = line.optional().catch(undefined);

const rowForm = z.object({
  path: z.string().max(500),
  url: z.string().max(500),
  name: line,
  group: line,
  serialNumber: optionalLine,
  location: optionalLine,
  firmware: optionalLine,
  state: line,
  severity: z.enum(siteSeverities),
  trouble: z.array(line).transform((lines) => lines.slice(0, 20)),
  troubleSince: number,
  unsaved: number,
  drift: number,
  clockOffset: number,
  certificateUntil: number,
  temperature: number,
  scans: z
    .object({ rate: z.number(), expectedRate: number, lossShare: z.number() })
    .optional()
    .catch(undefined),
});

const listForm = z.object({
  matching: z.number(),
  history: z.boolean(),
  log: z.boolean(),
  scanners: z.array(rowForm).max(mostListed),
});

const curveForm = z.object({ name: z.string().max(100), label: line, unit: line });

const pointsForm = curveForm.extend({
  points: z.array(z.tuple([z.number(), z.number().nullable()]).readonly()).max(1000),
});

const logForm = z.object({
  entries: z
    .array(
      z.object({
        at: z.number(),
        path: z.string().max(500),
        name: line,
        severity: z.enum(siteLogSeverities),
        kind: line,
        text: line,
        author: optionalLine,
      }),
    )
    .max(mostEntries),
  more: z.boolean(),
  searchedSince: number,
});

/** What a monitor knows of all its scanners. Paths are those of the monitor. */
export interface MonitorList {
  readonly scanners: readonly SiteScanner[];
  readonly history: boolean;
  readonly log: boolean;
}

/** Asks the port of a running `azimuth monitor`. Its answers are checked: any program may be there. */
export class MonitorClient {
  readonly url: string;

  /** @param url of the monitor, without a slash at its end */
  constructor(url: string) {
    this.url = url;
  }

  /** @throws SiteUnavailable */
  async list(): Promise<MonitorList> {
    const scanners: SiteScanner[] = [];
    for (;;) {
      const query = new URLSearchParams({ sort: 'name', from: `${scanners.length}`, limit: `${mostListed}` });
      const { matching, history, log, ...part } = await this.#ask('', query, listForm);
      scanners.push(...part.scanners);
      const isAll = scanners.length >= Math.min(matching, mostScanners) || part.scanners.length === 0;
      if (isAll) return { history, log, scanners: scanners.slice(0, mostScanners) };
    }
  }

  /** The curves of a scanner. @param path of the monitor @throws SiteUnavailable */
  async curves(path: string): Promise<readonly SiteCurve[]> {
    const form = z.object({ values: z.array(curveForm).max(1000) });
    return (await this.#ask('/history', new URLSearchParams({ scanner: path }), form)).values;
  }

  /** @throws SiteUnavailable */
  points(path: string, value: string, since: number | undefined): Promise<SiteCurvePoints> {
    const query = new URLSearchParams({ scanner: path, value });
    if (since !== undefined) query.set('since', String(since));
    return this.#ask('/history', query, pointsForm);
  }

  /** @throws SiteUnavailable */
  log(query: URLSearchParams): Promise<SiteLog> {
    return this.#ask('/log', query, logForm);
  }

  async #ask<T>(path: string, query: URLSearchParams, form: z.ZodType<T>): Promise<T> {
    const url = `${this.url}${siteListPath}${path}?${query}`;
    const text = await this.#text(url);
    const parsed = form.safeParse(jsonIn(text));
    if (parsed.success) return parsed.data;
    throw new SiteUnavailable(`${this.url} answers, but not as azimuth monitor does`);
  }

  async #text(url: string): Promise<string> {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(responseTimeout), redirect: 'manual' });
      const text = await textIn(bodyPieces(response.body), maxResponseBytes);
      if (response.ok) return text;
      throw new SiteUnavailable(`${this.url} answered HTTP ${response.status}: ${text.slice(0, 200).trim()}`);
    } catch (error) {
      if (error instanceof SiteUnavailable) throw error;
      if (error instanceof BodyTooLong) throw new SiteUnavailable(`${this.url} answered ${error.message}`);
      throw new SiteUnavailable(`the monitor at ${this.url} does not answer: ${causeOf(error)}`);
    }
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
