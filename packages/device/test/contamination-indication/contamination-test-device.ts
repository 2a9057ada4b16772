import {
  basicSettings,
  contaminationIndication,
  DeviceStatus,
  sectorCount,
  type ValueOf,
  type Variable,
} from '@azimuth/model';
import { Announcements } from '../../src/announcements.js';
import { Contamination } from '../../src/contamination-indication/contamination.js';
import { VirtualClock } from '../../src/index.js';
import { Conditions } from '../../src/lifecycle/conditions.js';
import { Parameters } from '../../src/parameters/parameters.js';

const { ContaminationConfig, treatBlockedSectorsAsErrorSectors } = contaminationIndication.members;

export type Config = Partial<ValueOf<'ContaminationConfig'>>;

/** Variables that the indication follows in the newest release. */
export const indicated: readonly Variable<unknown>[] = [
  ContaminationConfig,
  treatBlockedSectorsAsErrorSectors,
  basicSettings.members.SensitivityMode,
];

const letters = ['-', 'c', 'W', 'E'] as const;
const statusNames = Object.entries(DeviceStatus);

/** A front screen on virtual time. */
export class ContaminationTestDevice {
  readonly clock: VirtualClock;
  readonly announcements = new Announcements();
  readonly parameters = new Parameters(this.announcements);
  /** All device statuses so far. */
  readonly statuses: string[] = [];
  readonly announced: (readonly string[])[] = [];
  readonly conditions: Conditions;
  readonly contamination: Contamination;
  #levels: readonly number[];

  constructor(
    config: Config = {},
    variables: readonly Variable<unknown>[] = indicated,
    { clock = new VirtualClock(), levels = [] }: { clock?: VirtualClock; levels?: readonly number[] } = {},
  ) {
    this.clock = clock;
    this.#levels = levels;
    this.conditions = new Conditions(() => this.statuses.push(this.status));
    this.contamination = new Contamination({
      parameters: this.parameters,
      announcements: this.announcements,
      conditions: this.conditions,
      clock,
      levels: () => this.#levels,
    });
    this.parameters.boot(
      variables,
      ({ type }) => type.initial,
      {},
      (fault) => {
        throw fault;
      },
    );
    if (this.parameters.has(ContaminationConfig)) this.configure(config);
    this.contamination.boot();
    this.announcements.subscribe((changed) => this.announced.push(changed.map(({ name }) => name)));
  }

  get status(): string {
    return statusNames.find(([, value]) => value === this.conditions.deviceStatus)?.[0] ?? '';
  }

  /** Each sector from -138° on: `-` blocked or not watched, `c` clean, `W` warning, `E` error. */
  get sectors(): string {
    return this.contamination.data.map((sector) => letters[sector]).join('');
  }

  get result(): string {
    const { bWarningActive, bErrorActive } = this.contamination.result;
    return `${bWarningActive ? 'W' : '-'}${bErrorActive ? 'E' : '-'}`;
  }

  /** Changes some members; the others stay. */
  configure(config: Config): void {
    const value = { ...this.parameters.read(ContaminationConfig), ...config };
    this.parameters.change((change) => change.set(ContaminationConfig, value));
  }

  treatBlockedAsErrors(treat: boolean): void {
    this.parameters.change((change) => change.set(treatBlockedSectorsAsErrorSectors, treat));
  }

  /** Sets the share of light that these sectors, from 0, block. All others block none. */
  soil(levels: Readonly<Record<number, number>>): void {
    this.#levels = Array.from({ length: sectorCount }, (_, sector) => levels[sector] ?? 0);
    this.contamination.levelsChanged();
  }

  /** Sets the contamination of the hardware to any value. */
  setLevels(levels: readonly number[]): void {
    this.#levels = levels;
    this.contamination.levelsChanged();
  }

  seconds(seconds: number): void {
    this.clock.advance(seconds * 1000);
  }
}
