import {
  type AskedScanner,
  durationText,
  ms,
  type StreamMeasures,
  type TimingFinding,
  type TimingReport,
} from '@azimuth/client/timing';
import { counted } from '@azimuth/model';
import { tableCell, tableLines } from '../output/table.js';

/** Maximum characters of a finding: it may contain text from the scanner. */
const longestLine = 1000;

/** Where the telegrams came from, and what is known besides. */
export interface SeenSource {
  /** The name of the scanner, the ports or the file. */
  readonly title: string;
  readonly asked: AskedScanner | undefined;
  /** True if it was a file. */
  readonly isFile: boolean;
}

/** Returns a report in lines: a table for each stream, what cannot be known, and a line for each finding. */
export function reportLines(report: TimingReport, source: SeenSource): readonly string[] {
  return [
    ...report.streams.flatMap((stream) => [...streamLines(stream), '']),
    ...computerLines(report),
    ...unknownOf(report, source).map((text) => `unknown   ${text}`),
    ...report.findings.map(findingLine),
    summary(report),
  ];
}

/** Returns a report as JSON. Times are in ms, rounded to µs. */
export function reportJson(report: TimingReport, source: SeenSource): object {
  const { title, asked } = source;
  return JSON.parse(
    JSON.stringify({ source: title, ...report, asked, unknown: unknownOf(report, source) }, (_, value) =>
      typeof value === 'number' && !Number.isInteger(value) ? Math.round(value * 1000) / 1000 : value,
    ),
  );
}

function streamLines(stream: StreamMeasures): readonly string[] {
  const { kind, formats, sender, host, telegrams, duration, scans, frequency, segments, lost } = stream;
  const who = [sender === undefined ? '' : ` of scanner ${sender}`, host === '' ? '' : ` at ${host}`].join(
    '',
  );
  const turning =
    kind === 'scan' && frequency !== undefined
      ? `, ${counted(scans, 'scan')} at ${Number(frequency.toFixed(2))} Hz, ${counted(segments, 'segment')} each`
      : '';
  const head = `${kind} data${who} (${formats.join(', ')}): ${counted(telegrams, 'telegram')} in ${durationText(duration)}${turning}`;
  const losses = lost.scattered + lost.inBursts + lost.here;
  const gaps = [
    losses === 0 ? '' : `${counted(losses, 'telegram')} lost`,
    stream.silences.length === 0 ? '' : `${counted(stream.silences.length, 'time')} silent`,
  ].filter((text) => text !== '');
  const order = [
    stream.late === 0 ? '' : `${stream.late} behind later ones`,
    stream.repeated === 0 ? '' : `${stream.repeated} twice`,
  ].filter((text) => text !== '');
  const rows: (readonly [string, string])[] = [
    ['order', order.length === 0 ? 'right' : order.join(', ')],
    ...(kind === 'scan' ? [['overlap', overlapText(stream)] as const] : []),
    ['gaps', gaps.length === 0 ? 'none' : gaps.join(', ')],
    ['stamps', stampText(stream)],
    ...(kind === 'scan' ? [['steps', stepText(stream)] as const] : []),
    ['drift', driftText(stream)],
    ['jitter', spreadText(stream.jitter)],
    ...(kind === 'scan'
      ? ([
          ['last beam to arrival', spreadText(stream.lastBeamToArrival)],
          ['first beam to whole scan', spreadText(stream.firstBeamToWholeScan)],
        ] as const)
      : []),
  ];
  return [tableCell(head, longestLine), ...tableLines(rows).map((line) => `  ${line}`)];
}

function overlapText({ overlapping, scans }: StreamMeasures): string {
  return overlapping === 0 ? 'none' : `${overlapping} of ${counted(scans, 'scan')}`;
}

function stampText({ clock, behind }: StreamMeasures): string {
  if (clock === 'unknown') return 'neither uptime nor UTC';
  if (clock === 'uptime') return 'uptime: they count from the last boot';
  if (behind === undefined) return 'UTC';
  const where = behind >= 0 ? 'behind' : 'ahead of';
  return `UTC, ${durationText(behind)} ${where} this computer`;
}

function stepText({ steps }: StreamMeasures): string {
  if (steps.length === 0) return 'none';
  const first = steps.slice(0, 5).map(({ by }) => ms(-by));
  return `${steps.length}: ${first.join(', ')}${steps.length > first.length ? ', …' : ''}`;
}

function driftText({ drift }: StreamMeasures): string {
  if (drift === undefined) return 'not known, for less than 5 s';
  const { ppm, uncertainty } = drift;
  return `${Math.abs(ppm).toFixed(1)} ppm ${ppm > 0 ? 'slow' : 'fast'} (± ${Math.max(0.1, uncertainty).toFixed(1)}) against this computer`;
}

function spreadText(spread: StreamMeasures['jitter']): string {
  if (spread === undefined) return 'not known';
  const { median, p99, most } = spread;
  return `${ms(median)} usually, ${ms(p99)} for one of a hundred, ${ms(most)} at most`;
}

function computerLines({ lateness, streams }: TimingReport): readonly string[] {
  if (lateness === undefined) return [];
  const leftOut = streams.reduce((total, stream) => total + stream.leftOut, 0);
  const what = leftOut === 0 ? '' : `; ${counted(leftOut, 'telegram')} of that time are not judged`;
  if (lateness.total === 0) return ['this computer was never late'];
  return [
    `this computer was up to ${durationText(lateness.longest)} late, ${durationText(lateness.total)} in all${what}`,
  ];
}

/** Returns what this source cannot tell. */
function unknownOf({ streams }: TimingReport, { asked, isFile }: SeenSource): readonly string[] {
  const unknown: string[] = [];
  if (asked === undefined && streams.some(({ clock }) => clock === 'uptime')) {
    unknown.push(
      'whether the scanner should be synchronised: --utc says that it should, --device asks the scanner',
    );
  }
  if (asked !== undefined && asked.synchronised === undefined) {
    unknown.push('whether the scanner is synchronised: it does not tell');
  }
  if (isFile) unknown.push('whether the computer that made the file was late: delays may be its own');
  return unknown;
}

function findingLine({ cause, scanner, text, remedy, at }: TimingFinding): string {
  const who = scanner === '' ? '' : `${scanner}: `;
  const when = at === undefined ? '' : ` (first after ${durationText(at)})`;
  return tableCell(`finding   ${cause}: ${who}${text}${when} – ${remedy}`, longestLine);
}

function summary({ findings, duration }: TimingReport): string {
  const result = findings.length === 0 ? 'nothing is wrong' : counted(findings.length, 'finding');
  return `${durationText(duration)} watched: ${result}`;
}
