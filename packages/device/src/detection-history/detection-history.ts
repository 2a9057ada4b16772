import { Mutex } from '@azimuth/async';
import {
  type Detection,
  detectionHistory,
  type Edition,
  extensions,
  historyLength,
  isFrom,
  Refusal,
} from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { Timeout } from '../clock/timeout.js';
import { computed, type Feature, method } from '../feature.js';
import type { FieldEvaluation, Infringement } from '../field-evaluation/field-evaluation.js';
import type { Clock, Log } from '../interfaces/environment.js';
import type { Conditions } from '../lifecycle/conditions.js';
import type { Parameters } from '../parameters/parameters.js';
import { detectionsDocument, UnreadableDocument } from '../storage/document.js';
import type { Documents } from '../storage/documents.js';
import { reasonOf } from '../storage/storage-failure.js';

const loss = 'The detection history is lost and starts empty';
const lostHistory = 'lost detection history';
/**
 * ms from a detection until it is stored together with the other detections of that time. A power cut loses no more
 * than these.
 */
const storeDelay = 1000;
/** ms between attempts to store, after more than one has failed. */
const retryDelay = 10_000;

const { EnableDetectionHistory, EvaluationsToLog, ResetDetectionHistory } = detectionHistory.members;
const { history } = extensions.members;

interface Options {
  readonly documents: Documents;
  readonly clock: Clock;
  readonly log: Log;
  readonly fields: FieldEvaluation;
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly conditions: Conditions;
  readonly served: { readonly current: { readonly edition: Edition } };
}

/**
 * The last 200 infringements: time, evaluation and positions. The history survives restarts, updates and factory
 * defaults. It is written at most once a second, and on disk within a second. If the disk fails, it is written as soon
 * as the disk works again.
 */
export class DetectionHistory implements Feature {
  readonly computed = [computed(history, () => this.detections)];
  readonly methods = [
    method(ResetDetectionHistory, async () => {
      await this.reset();
      return {};
    }),
  ];
  readonly #documents: Documents;
  readonly #log: Log;
  readonly #conditions: Conditions;
  readonly #announcements: Announcements;
  #detections: readonly Detection[];
  readonly #next: Timeout;
  /** True if some detections are not on disk. */
  #unstored = false;
  /** Number of failed writes since the last successful one. */
  #failures = 0;
  #ended = false;
  /** Writes run one after the other, so that an older one cannot overwrite a newer one. */
  readonly #mutex = new Mutex();
  #waiting = 0;

  private constructor(options: Options, detections: readonly Detection[], isLost: boolean) {
    const { documents, clock, log, fields, announcements, conditions } = options;
    this.#documents = documents;
    this.#next = new Timeout(clock);
    this.#log = log;
    this.#announcements = announcements;
    this.#detections = detections;
    this.#conditions = conditions;
    conditions.setLost(lostHistory, isLost);
    fields.onInfringed((infringement) => {
      if (isLogged(infringement.evaluation.Id, options)) this.#add(infringement);
    });
  }

  /**
   * Reads the history, and records infringements from now on, according to EnableDetectionHistory and EvaluationsToLog.
   * A missing or lost history starts empty.
   */
  static async load(options: Options): Promise<DetectionHistory> {
    const found = await options.documents.find(detectionsDocument, loss, contentOf);
    const detections = found.state === 'whole' ? found.content : [];
    return new DetectionHistory(options, detections, found.state === 'lost');
  }

  /** The detections, the oldest first. */
  get detections(): readonly Detection[] {
    return this.#detections;
  }

  /**
   * Deletes all detections. On disk when the promise is fulfilled.
   * @throws Refusal 3 if that cannot be stored; then all detections are still there
   */
  async reset(): Promise<void> {
    await this.#inOrder(async () => {
      const deleted = new Set(this.#detections);
      await this.#documents.store(detectionsDocument, 'The detection history', { detections: [] });
      this.#conditions.setLost(lostHistory, false);
      // Detections that came during the write stay.
      this.#detections = this.#detections.filter((detection) => !deleted.has(detection));
      this.#announcements.changed([history]);
    });
  }

  /** Remembers the detections. The storage itself is put back by its owner. */
  remember(): () => void {
    const [detections, unstored] = [this.#detections, this.#unstored];
    return () => {
      this.#detections = detections;
      this.#unstored = unstored;
      this.#next.stop();
      if (unstored) this.#schedule();
      this.#announcements.changed([history]);
    };
  }

  /** Stores all unstored detections, and stops storing. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#next.stop();
    await this.#inOrder(() => (this.#unstored ? this.#write() : Promise.resolve()));
  }

  #add({ evaluation, timestamp, positions }: Infringement): void {
    const detection = {
      Timestamp: timestamp,
      EvaluationId: evaluation.Id,
      Name: evaluation.Name,
      Positions: positions,
    };
    this.#detections = [...this.#detections, detection].slice(-historyLength);
    this.#unstored = true;
    this.#schedule();
    this.#announcements.changed([history]);
  }

  #schedule(): void {
    if (this.#ended || this.#next.isSet) return;
    this.#next.set(this.#failures > 1 ? retryDelay : storeDelay, () => {
      // A running write gets no new detections: they are stored a second after its end.
      if (this.#waiting === 0) void this.#inOrder(() => this.#write());
    });
  }

  /** Writes the history. A failure is logged once, until a write succeeds. */
  async #write(): Promise<void> {
    this.#unstored = false;
    try {
      await this.#documents.write(detectionsDocument, { detections: this.#detections });
      this.#conditions.setLost(lostHistory, false);
      this.#failures = 0;
    } catch (error) {
      this.#unstored = true;
      this.#failures += 1;
      if (this.#failures > 1) return;
      this.#log.error('The detection history could not be stored', { reason: reasonOf(error) });
    }
  }

  async #inOrder(act: () => Promise<void>): Promise<void> {
    this.#waiting += 1;
    try {
      await this.#mutex.run(act);
    } finally {
      this.#waiting -= 1;
      if (this.#unstored) this.#schedule();
    }
  }
}

function isLogged(evaluation: number, { parameters, served }: Options): boolean {
  // Releases without the switch keep a history from 1.5.0 on.
  if (!parameters.has(EnableDetectionHistory)) return isFrom(served.current.edition.release, '1.5.0');
  return (
    parameters.read(EnableDetectionHistory) && parameters.read(EvaluationsToLog)[evaluation - 1] !== false
  );
}

function contentOf({ detections }: Record<string, unknown>): readonly Detection[] {
  try {
    return history.type.fromJson(detections, 'detections');
  } catch (error) {
    if (error instanceof Refusal) throw new UnreadableDocument(error.message);
    throw error;
  }
}
