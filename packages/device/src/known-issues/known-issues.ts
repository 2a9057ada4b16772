import {
  contaminationIndication,
  ScanDataFormat as Format,
  filter,
  hasIssue,
  type KnownIssue,
  measurementDataOutput,
  Refusal,
  type Release,
  type ValueOf,
  type Variable,
} from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { Timeout } from '../clock/timeout.js';
import type { Feature } from '../feature.js';
import type { Clock, Log } from '../interfaces/environment.js';
import type { Conditions } from '../lifecycle/conditions.js';
import type { Parameters } from '../parameters/parameters.js';

const { ContaminationResult } = contaminationIndication.members;

const tooMany = 'too many functions are active at the same time';

/** ms */
const tooManyFor = 1000;

interface Options {
  readonly announcements: Announcements;
  readonly clock: Clock;
  readonly conditions: Conditions;
  readonly firmware: { readonly release: Release };
  readonly log: Log;
}

/** The known issues of its release that are planned for this scanner. By default there are none. */
export class KnownIssues implements Feature {
  readonly #options: Options;
  /** Number of plans for each. */
  readonly #planned = new Map<KnownIssue, number>();
  readonly #listeners = new Set<() => void>();
  #isInverted = false;
  readonly #ending: Timeout;

  constructor(options: Options) {
    this.#options = options;
    this.#ending = new Timeout(options.clock);
    options.announcements.subscribeTo([ContaminationResult], () => {
      this.#isInverted = false;
    });
  }

  /** True if it is planned, and the running release has it. */
  has(issue: KnownIssue): boolean {
    return (this.#planned.get(issue) ?? 0) > 0 && hasIssue(this.#options.firmware.release, issue);
  }

  /** True if outputs invert the contamination: 2.3.3/contamination-output. */
  get isContaminationInverted(): boolean {
    return this.#isInverted && this.has('2.3.3/contamination-output');
  }

  /** Calls `listener` when an issue begins or ends. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Remembers what an issue does at the moment. Its plans are put back by the faults. */
  remember(): () => void {
    const isInverted = this.#isInverted;
    const isEnding = this.#ending.isSet;
    return () => {
      this.#isInverted = isInverted;
      if (isEnding) this.#ending.set(tooManyFor, () => this.#endTooMany());
      else this.#ending.stop();
    };
  }

  /** Begins an issue. Returns a function that ends it. If it was begun twice, it ends with the second call. */
  begin(issue: KnownIssue): () => void {
    this.#plan(issue, 1);
    return () => this.#plan(issue, -1);
  }

  /** Applied before the ports boot: outputs of the contamination are inverted from the start. */
  boot(): void {
    this.#isInverted = this.has('2.3.3/contamination-output');
    if (!this.has('2.2.0/too-many-functions')) return;
    const { conditions, log } = this.#options;
    log.warn(`DeviceStatus is 7 for a moment: ${tooMany}`);
    conditions.set('DS_RecoverableError', tooMany, true);
    this.#ending.set(tooManyFor, () => this.#endTooMany());
  }

  down(): void {
    this.#endTooMany();
  }

  #endTooMany(): void {
    this.#ending.stop();
    this.#options.conditions.set('DS_RecoverableError', tooMany, false);
  }

  #plan(issue: KnownIssue, by: number): void {
    this.#planned.set(issue, (this.#planned.get(issue) ?? 0) + by);
    for (const listener of this.#listeners) listener();
  }
}

const { ScanDataEnable, ScanDataFormat } = measurementDataOutput.members;
const { LFPmovingAveragingFilter, LFPparticle } = filter.members;

/** all/diagnosis-file. @throws Refusal 3 */
export function refuseDiagnosis(issues: KnownIssues, parameters: Parameters): void {
  if (!issues.has('all/diagnosis-file')) return;
  const isOn = (variable: Variable<{ readonly bEnable: boolean }>) => parameters.read(variable).bEnable;
  if (!isOn(LFPparticle) || !isOn(LFPmovingAveragingFilter) || !parameters.read(ScanDataEnable)) return;
  throw new Refusal(
    'internalServerError',
    '',
    'file error: switch the particle filter, the moving average or the scan data stream off (all/diagnosis-file)',
  );
}

/** 2.1.0/angle-filter: the effective LFPangleRangeFilter. */
export function actingAngleRange(
  range: ValueOf<'LFPangleRangeFilter'>,
  issues: KnownIssues,
  parameters: Parameters,
): ValueOf<'LFPangleRangeFilter'> {
  if (!issues.has('2.1.0/angle-filter') || parameters.read(ScanDataFormat) !== Format.LMDscandata)
    return range;
  return { ...range, bEnable: true };
}

/** The second variable that decides about the effective range. */
export const formatOfScans: Variable<unknown> = ScanDataFormat;
