import { DeviceStatus, extensions, isObject, status } from '@azimuth/model';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type KnownValues, knownValue } from '../connection/declarations.js';
import { type Remedy, reportedProblems } from '../overview/next-steps.js';
import { deviceState, type Severity } from '../parts/states.js';
import { sentence } from '../parts/texts.js';

/** Reports of a scanner at one moment. */
interface Report {
  readonly severity: Severity;
  /** The variable that reports it. */
  readonly source: string;
  /** The number that this variable has; undefined if it is no number. */
  readonly number: number | undefined;
  readonly text: string;
  readonly advice: string;
  readonly remedy: Remedy | undefined;
}

/** Report of a scanner, once or several times. */
export interface Message extends Report {
  readonly key: string;
  /** ms since 1970 UTC, by the clock of this computer; undefined if it was there before the scanner was watched. */
  readonly began: number | undefined;
  /** When it ended last; undefined while it lasts. */
  readonly ended: number | undefined;
  /** Number of times that it began. */
  readonly count: number;
}

/** A variable that reports something. */
interface Source {
  readonly name: string;
  /** Its present reports. */
  readonly reports: (known: KnownValues) => readonly Report[];
}

const { DeviceStatus: deviceStatus } = status.members;
const { conditions } = extensions.members;

/** Variables whose problems call for service. */
const forService: ReadonlySet<string> = new Set(['ContaminationResult', 'plug']);

/** The areas that messages are about, by the variables that report them. */
const categories: Readonly<Record<string, string>> = {
  DeviceStatus: 'Device',
  ContaminationResult: 'Front screen',
  temperatureAlarmStatus: 'Temperature',
  plug: 'System plug',
  network: 'Network',
  time: 'Clock',
  httpsStatus: 'HTTPS',
};

export function categoryOf({ source }: Pick<Report, 'source'>): string {
  return categories[source] ?? source;
}

const sources: readonly Source[] = [
  { name: deviceStatus.name, reports: deviceReports },
  ...reportedProblems.map(([name, problem]) => ({
    name,
    reports(known: KnownValues) {
      const step = problem(known);
      if (step === undefined) return [];
      const { severity, title, why, remedy } = step;
      const value = known.value(name);
      const state = isObject(value) ? value.State : undefined;
      const number = typeof state === 'number' ? state : undefined;
      return [{ severity, source: name, number, text: title, advice: why, remedy }];
    },
  })),
];

/** Variables on which messages depend. */
export const watched: readonly string[] = [conditions.name, ...sources.map(({ name }) => name)];

/** Each reason for the state, if the scanner tells them; otherwise the state itself. */
function deviceReports(known: KnownValues): readonly Report[] {
  const now = knownValue(known, deviceStatus);
  if (now === undefined || now === DeviceStatus.DS_NormalOperation) return [];
  const reasons = knownValue(known, conditions) ?? [];
  const reports =
    reasons.length > 0
      ? reasons.map(({ Status, Reason }) => deviceReport(Status, sentence(Reason)))
      : [deviceReport(now, `${deviceState(now).word}.`)];
  return reports.filter(({ number }) => !(isForService(number) && hasProblem(known)));
}

/** Dirt and the system plug are reported by variables of their own, which say more. */
function isForService(number: number | undefined): boolean {
  return number === DeviceStatus.DS_ServiceRequired || number === DeviceStatus.DS_ServiceRecommended;
}

function hasProblem(known: KnownValues): boolean {
  return reportedProblems.some(([name, problem]) => forService.has(name) && problem(known) !== undefined);
}

function deviceReport(number: number, text: string): Report {
  const { severity, advice } = deviceState(number);
  return { severity, source: deviceStatus.name, number, text, advice, remedy: undefined };
}

/** Messages that are kept. */
export const mostMessages = 500;

/** The messages of a scanner: what it has reported since it is watched. */
export class MessageLog {
  readonly #messages: Signal<readonly Message[]> = signal([]);
  /** Those that last come first, then the newest. */
  readonly messages: ReadonlySignal<readonly Message[]> = this.#messages;
  /** Variables whose value was known before. */
  readonly #seen = new Set<string>();

  /**
   * Takes the values that a scanner has at a moment.
   * @param at ms since 1970 UTC
   */
  take(at: number, known: KnownValues): void {
    const active = new Map<string, readonly [Report, isOld: boolean]>();
    for (const { name, reports } of sources) {
      if (known.value(name) === undefined) continue;
      // What a variable reports when it is read first may have begun long before.
      const isOld = !this.#seen.has(name);
      this.#seen.add(name);
      for (const report of reports(known)) active.set(keyOf(report), [report, isOld]);
    }
    const before = this.#messages.peek();
    const kept = before.map((message): Message => {
      const now = active.get(message.key)?.[0];
      active.delete(message.key);
      if (now === undefined) return message.ended === undefined ? { ...message, ended: at } : message;
      if (message.ended === undefined) return { ...message, ...now };
      return { ...message, ...now, began: at, ended: undefined, count: message.count + 1 };
    });
    const added = [...active].map(
      ([key, [report, isOld]]): Message => ({
        ...report,
        key,
        began: isOld ? undefined : at,
        ended: undefined,
        count: 1,
      }),
    );
    this.#messages.value = [...added, ...kept].toSorted(byTime).slice(0, mostMessages);
  }
}

function keyOf({ source, number, text }: Report): string {
  return `${source} ${number ?? ''} ${text}`;
}

function byTime(one: Message, other: Message): number {
  const lasts = Number(one.ended !== undefined) - Number(other.ended !== undefined);
  return lasts === 0 ? (other.began ?? 0) - (one.began ?? 0) : lasts;
}
