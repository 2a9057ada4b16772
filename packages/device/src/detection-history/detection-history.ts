import { type Detection, detectionHistory, detectionsKept, extensions, Fault } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { computed, type Feature, method } from '../feature.js';
import type { FieldEvaluation, Infringement } from '../field-evaluation/field-evaluation.js';
import type { Clock } from '../interfaces/clock.js';
import type { Log } from '../interfaces/log.js';
import type { Parameters } from '../parameters/parameters.js';
import { UnreadableDocument } from '../storage/document.js';
import type { Documents } from '../storage/documents.js';

const name = 'detections.json';
const loss = 'The detection history is lost and starts empty';
/** ms: so long after a detection it is stored, with all that came meanwhile. A power cut loses less than that. */
const storeAfter = 1000;
/** ms: a disk that has failed more than once is asked this seldom. */
const storeAgainAfter = 10_000;

const { EnableDetectionHistory, EvaluationsToLog, ResetDetectionHistory } = detectionHistory.members;
const { history } = extensions.members;

interface Facts {
  readonly fields: FieldEvaluation;
  readonly parameters: Parameters;
  readonly announcements: Announcements;
}

/**
 * When which evaluation became infringed, and where: the last 200 times. It outlives restarts, updates and factory
 * defaults. It is on disk within a second, written once a second at most; where the disk fails, as soon as it works.
 */
export class DetectionHistory implements Feature {
  readonly heeds = [EnableDetectionHistory, EvaluationsToLog];
  readonly computed = [computed(history, () => this.detections)];
  readonly methods = [
    method(ResetDetectionHistory, async () => {
      await this.reset();
      return {};
    }),
  ];
  /** Was there a history that could not be read? */
  readonly isLost: boolean;
  readonly #documents: Documents;
  readonly #clock: Clock;
  readonly #log: Log;
  #announcements: Announcements | undefined;
  #detections: readonly Detection[];
  #cancel: (() => void) | undefined;
  /** Is there anything that the disk does not have? */
  #unstored = false;
  /** Writes that have failed since the last one that did not. */
  #failures = 0;
  #ended = false;
  /** Writes take turns: one that was begun before must not come after. */
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  private constructor(
    documents: Documents,
    clock: Clock,
    log: Log,
    detections: readonly Detection[],
    isLost: boolean,
  ) {
    this.#documents = documents;
    this.#clock = clock;
    this.#log = log;
    this.#detections = detections;
    this.isLost = isLost;
  }

  /** Reads the history; where there is none, or it is lost, it starts empty. */
  static async load(documents: Documents, clock: Clock, log: Log): Promise<DetectionHistory> {
    const found = await documents.find(name, loss, contentOf);
    const detections = found.state === 'whole' ? found.content : [];
    return new DetectionHistory(documents, clock, log, detections, found.state === 'lost');
  }

  /** Takes up what becomes infringed from now on, as EnableDetectionHistory and EvaluationsToLog say. */
  follow({ fields, parameters, announcements }: Facts): void {
    this.#announcements = announcements;
    fields.onInfringed((infringement) => {
      const place = infringement.evaluation.Id - 1;
      if (!parameters.read(EnableDetectionHistory) || parameters.read(EvaluationsToLog)[place] === false)
        return;
      this.#add(infringement);
    });
  }

  /** The oldest first. */
  get detections(): readonly Detection[] {
    return this.#detections;
  }

  /**
   * Forgets all detections; on disk when the promise is fulfilled.
   * @throws Fault with status 3 where that cannot be stored; all of them are still there.
   */
  async reset(): Promise<void> {
    await this.#inTurn(async () => {
      const forgotten = new Set(this.#detections);
      await this.#documents.store(name, 'The detection history', { detections: [] });
      // What came while the disk was busy has been forgotten by nobody.
      this.#detections = this.#detections.filter((detection) => !forgotten.has(detection));
      this.#announcements?.changed([history]);
    });
  }

  /** Stores what is not stored yet, and then no more. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#cancel?.();
    this.#cancel = undefined;
    await this.#inTurn(() => (this.#unstored ? this.#write() : Promise.resolve()));
  }

  #add({ evaluation, timestamp, positions }: Infringement): void {
    const detection = {
      Timestamp: timestamp,
      EvaluationId: evaluation.Id,
      Name: evaluation.Name,
      Positions: positions,
    };
    this.#detections = [...this.#detections, detection].slice(-detectionsKept);
    this.#unstored = true;
    this.#schedule();
    this.#announcements?.changed([history]);
  }

  #schedule(): void {
    if (this.#ended) return;
    this.#cancel ??= this.#clock.after(this.#failures > 1 ? storeAgainAfter : storeAfter, () => {
      this.#cancel = undefined;
      // A slow disk is given no second write: what has come meanwhile is stored a second after the first one is done.
      if (this.#waiting === 0) void this.#inTurn(() => this.#write());
    });
  }

  /** Told once, until it works again. */
  async #write(): Promise<void> {
    this.#unstored = false;
    try {
      await this.#documents.write(name, { detections: this.#detections });
      this.#failures = 0;
    } catch (error) {
      this.#unstored = true;
      this.#failures += 1;
      if (this.#failures > 1) return;
      this.#log.error('The detection history could not be stored', { reason: String(error) });
    }
  }

  async #inTurn(act: () => Promise<void>): Promise<void> {
    this.#waiting += 1;
    const turn = this.#turn.then(act);
    this.#turn = turn.catch(() => undefined);
    try {
      await turn;
    } finally {
      this.#waiting -= 1;
      if (this.#unstored) this.#schedule();
    }
  }
}

function contentOf({ detections }: Record<string, unknown>): readonly Detection[] {
  try {
    return history.type.fromJson(detections, 'detections');
  } catch (error) {
    if (error instanceof Fault) throw new UnreadableDocument(error.message);
    throw error;
  }
}
