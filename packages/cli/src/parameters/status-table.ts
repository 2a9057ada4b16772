import { styleText } from 'node:util';
import { type ParameterValues, wireName } from '@azimuth/client';
import {
  compareClock,
  contaminationIndication,
  DeviceStatus,
  dateAndSystemTime,
  extensions,
  isObject,
  Refusal,
  type Variable,
} from '@azimuth/model';
import { durationText } from '../output/duration-text.js';
import { tableLines } from '../output/table.js';
import { streams } from '../scan-data/stream-settings.js';
import { reasonsText, statusVariables } from './status-rows.js';

const { LSPdatetime, TSCRole, TSCTCtimezone } = dateAndSystemTime.members;
const { ContaminationResult } = contaminationIndication.members;
const { time } = extensions.members;

/** The variables of the table. A scanner has those of its release and variant. */
export const tableVariables: readonly string[] = [...statusVariables, TSCTCtimezone.name];

/** Knowledge of one scanner of the table. */
export type ListedScanner =
  | {
      readonly label: string;
      readonly values: ParameterValues;
      /** When they were read. */
      readonly at: Date;
      /** Paths of unsaved values; null if the scanner does not report them. */
      readonly unsaved: readonly string[] | null;
    }
  | { readonly label: string /** Why nothing is known. */; readonly failure: string };

/** Kinds of trouble, the worst first. */
const troubles = ['no answer', 'error', 'warning', 'none'] as const;

type Trouble = (typeof troubles)[number];

const colours = { 'no answer': 'red', error: 'red', warning: 'yellow', none: 'reset' } as const;

const heads = [
  'NAME',
  'STATE',
  'RELEASE',
  'TEMPERATURE',
  'DIRT',
  'UNSAVED',
  'STREAMS',
  'CLOCK',
  'SERIAL',
  'REASON',
] as const;

/**
 * Returns a table with a line for each scanner: those in trouble first, otherwise in the given order.
 * @param coloured true for colours of a terminal
 */
export function statusTable(scanners: readonly ListedScanner[], coloured: boolean): readonly string[] {
  const rows = scanners
    .map((scanner) => ('failure' in scanner ? silentRow(scanner.label, scanner.failure) : rowOf(scanner)))
    .toSorted((one, other) => troubles.indexOf(one.trouble) - troubles.indexOf(other.trouble));
  const hasReasons = rows.some(({ cells }) => cells.at(-1) !== '');
  const shown = (cells: readonly string[]) => (hasReasons ? cells : cells.slice(0, -1));
  const [head = '', ...lines] = tableLines([heads, ...rows.map(({ cells }) => cells)].map(shown));
  if (!coloured) return [head, ...lines];
  return [
    styleText('bold', head, { validateStream: false }),
    ...lines.map((line, index) =>
      styleText(colours[rows[index]?.trouble ?? 'none'], line, { validateStream: false }),
    ),
  ];
}

interface Row {
  readonly trouble: Trouble;
  readonly cells: readonly string[];
}

function silentRow(label: string, failure: string): Row {
  const nothing = heads.slice(2, -1).map(() => '-');
  return { trouble: 'no answer', cells: [label, 'no answer', ...nothing, failure] };
}

function rowOf({ label, values, at, unsaved }: Extract<ListedScanner, { values: ParameterValues }>): Row {
  const status = values.get('DeviceStatus');
  const dirt = dirtIn(values);
  const clock = clockIn(values, at);
  const isHot = values.get('temperatureAlarmStatus') === true;
  const isWarned =
    status !== DeviceStatus.DS_NormalOperation ||
    dirt === 'warning' ||
    isHot ||
    (unsaved ?? []).length > 0 ||
    clock.isWrong;
  const isError =
    dirt === 'error' || (typeof status === 'number' && status >= DeviceStatus.DS_ServiceRequired);
  return {
    trouble: isError ? 'error' : isWarned ? 'warning' : 'none',
    cells: [
      label,
      stateText(status),
      releaseText(values.get('DeviceIdent')),
      `${temperatureText(values.get('CurrentTempDev'))}${isHot ? ', alarm' : ''}`,
      dirt,
      unsaved === null ? 'not known' : unsaved.length === 0 ? '-' : String(unsaved.length),
      streamsText(values),
      clock.text,
      textOr(values.get('SerialNumber'), '-'),
      reasonsText(values) ?? '',
    ],
  };
}

function stateText(status: unknown): string {
  const [name] = Object.entries(DeviceStatus).find(([, number]) => number === status) ?? [];
  // DS_NormalOperation: the prefix would only widen the column.
  return name?.replace(/^DS_/, '') ?? textOr(status, '-');
}

function releaseText(ident: unknown): string {
  const version = isObject(ident) ? textOr(ident.Version, '-') : '-';
  return /^\d+\.\d+\.\d+/.exec(version)?.[0] ?? version;
}

function temperatureText(degrees: unknown): string {
  return typeof degrees === 'number' ? `${Math.round(degrees)} °C` : '-';
}

function dirtIn(values: ParameterValues): string {
  const result = typedValue(values, ContaminationResult);
  if (result === undefined) return '-';
  if (result.bErrorActive) return 'error';
  return result.bWarningActive ? 'warning' : 'none';
}

function streamsText(values: ParameterValues): string {
  const running = Object.entries(streams).filter(([, { enable }]) => values.get(enable) === true);
  return running.length === 0 ? '-' : running.map(([name]) => name).join(', ');
}

/** Compares the clock of a scanner with the clock of this computer. */
function clockIn(values: ParameterValues, now: Date): { readonly text: string; readonly isWrong: boolean } {
  const device = typedValue(values, LSPdatetime);
  if (device === undefined) return { text: '-', isWrong: false };
  const { verdict, aheadMs } = compareClock({
    device,
    now,
    role: typedValue(values, TSCRole),
    zone: typedValue(values, TSCTCtimezone),
    synchronised: typedValue(values, time)?.Synchronised,
  });
  if (verdict !== 'wrong') return { text: verdict, isWrong: false };
  return { text: `${durationText(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead' : 'behind'}`, isWrong: true };
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise;
}

/** Returns a value with its type; undefined if it is not known, or not as the interface allows it. */
function typedValue<T>(values: ParameterValues, variable: Variable<T>): T | undefined {
  const json = values.get(wireName(variable));
  if (json === undefined) return undefined;
  try {
    return variable.type.fromJson(json, variable.name);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
