import { pause } from '@azimuth/async';
import { AnswerError, NoEventsError, ScannerError } from '@azimuth/client';
import { EvaluationGroupType, evaluationSlots, isObject } from '@azimuth/model';
import type { BridgedScanner } from '../scanners/bridged-scanner.js';
import { WhileWanted } from '../scanners/while-wanted.js';
import { type EvaluationResult, evaluationResults, type FieldOutline, pointsIn } from './field-scene.js';

/** Time in ms after which the outlines are read again: longer if each of them needs a login. */
const outlineInterval = 5000;
const contourInterval = 60_000;

/** The results of all evaluations: an event from release 2.3.1 on. */
const resultName = 'FieldEvaluationResult';

/** The fields of a scanner now. */
export interface FieldsNow {
  readonly outlines: readonly FieldOutline[];
  readonly results: ReadonlyMap<number, EvaluationResult>;
}

/**
 * The fields of a scanner, followed while somebody wants them. Outlines come from `x/fields`; a scanner without additions
 * tells them only to a login (GetFieldEvaluationContour). Results are pushed, or read if the scanner pushes none.
 */
export class ScannerFields {
  readonly #scanner: BridgedScanner;
  readonly #onFields: (fields: FieldsNow) => void;
  readonly #following: WhileWanted;
  /** The outlines that were read last; undefined until then. */
  #outlines: readonly FieldOutline[] | undefined;

  constructor(
    scanner: BridgedScanner,
    onFields: (fields: FieldsNow) => void,
    onState: (failure: string | undefined) => void,
  ) {
    this.#scanner = scanner;
    this.#onFields = onFields;
    this.#following = new WhileWanted({
      work: (signal, works) => this.#follow(signal, works),
      onState,
    });
  }

  /** True while they are followed: some seconds longer than they are wanted. */
  get isFollowed(): boolean {
    return this.#following.isRunning;
  }

  want(): () => void {
    return this.#following.want();
  }

  async close(): Promise<void> {
    await this.#following.close();
  }

  async #follow(outer: AbortSignal, works: () => void): Promise<void> {
    const stop = new AbortController();
    const signal = AbortSignal.any([outer, stop.signal]);
    try {
      await Promise.all([this.#followOutlines(signal, works), this.#followResults(signal)]);
    } finally {
      stop.abort();
    }
  }

  async #followOutlines(signal: AbortSignal, works: () => void): Promise<void> {
    while (!signal.aborted) {
      const results = evaluationResults(await this.#scanner.scanner.readAny(resultName));
      const defined = await this.#readDefinitions();
      const outlines = defined ?? (await this.#readContours([...results.keys()]));
      if (signal.aborted) return;
      works();
      this.#outlines = outlines;
      this.#onFields({ outlines, results });
      await pause(defined === undefined ? contourInterval : outlineInterval, signal);
    }
  }

  async #followResults(signal: AbortSignal): Promise<void> {
    try {
      for await (const { data } of this.#scanner.scanner.eventsAny([resultName], { signal }))
        if (this.#outlines !== undefined)
          this.#onFields({ outlines: this.#outlines, results: evaluationResults(data) });
    } catch (error) {
      // They are read together with the outlines.
      if (!(error instanceof NoEventsError)) throw error;
    }
  }

  /** Reads the definitions of a virtual scanner; undefined if the scanner has none that everybody may read. */
  async #readDefinitions(): Promise<readonly FieldOutline[] | undefined> {
    try {
      return outlinesIn(await this.#scanner.scanner.readAny('x/fields'));
    } catch (error) {
      // A scanner without additions answers in words that are not of the interface.
      if (error instanceof ScannerError || error instanceof AnswerError) return undefined;
      throw error;
    }
  }

  async #readContours(ids: readonly number[]): Promise<readonly FieldOutline[]> {
    if (ids.length === 0) return [];
    const { login } = this.#scanner;
    if (login === undefined) throw new Error(outlinesNeedLogin);
    return login.use(async (scanner) => {
      const outlines: FieldOutline[] = [];
      for (const id of ids) {
        const answer = await scanner.callAny('GetFieldEvaluationContour', { EvaluationId: id });
        const [contour]: unknown[] = isObject(answer) && Array.isArray(answer.Contour) ? answer.Contour : [];
        if (isObject(contour)) outlines.push({ id, name: '', points: pointsIn(contour.Points) });
      }
      return outlines;
    });
  }
}

const outlinesNeedLogin =
  'the outlines of its fields need a login: start the bridge with AZIMUTH_PASSWORD and --user AuthorizedClient';

/** Reads the definitions of fields of a virtual scanner. Areas of perpendicular distances are no fields. */
export function outlinesIn(json: unknown): readonly FieldOutline[] {
  const list: unknown[] = isObject(json) && Array.isArray(json.evaluations) ? json.evaluations : [];
  return list.slice(0, evaluationSlots).flatMap((item) =>
    isObject(item) && typeof item.Id === 'number' && item.Type !== EvaluationGroupType.PERPENDICULAR_DISTANCE
      ? [
          {
            id: item.Id,
            name: typeof item.Name === 'string' ? item.Name : '',
            points: pointsIn(item.Points),
          },
        ]
      : [],
  );
}
