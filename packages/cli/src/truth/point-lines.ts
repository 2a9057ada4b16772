import { isObject } from '@azimuth/model';
import type { GivenPoint, PointColumn, Points } from './points.js';
import { type PointUnits, withUnit } from './units.js';

/** A line is no point. The message names what was expected and what came. */
export class PointLineError extends Error {
  override readonly name = 'PointLineError';
}

/** Names that drivers give to columns. */
const names: Readonly<Record<string, PointColumn>> = {
  x: 'x',
  y: 'y',
  range: 'range',
  ranges: 'range',
  distance: 'range',
  dist: 'range',
  r: 'range',
  radius: 'range',
  angle: 'angle',
  azimuth: 'angle',
  theta: 'angle',
  phi: 'angle',
  bearing: 'angle',
  time: 'time',
  t: 'time',
  timestamp: 'time',
  time_stamp: 'time',
  stamp: 'time',
  frame: 'frame',
  scan: 'frame',
  frame_number: 'frame',
  scan_number: 'frame',
  framenumber: 'frame',
  seq: 'frame',
  echo: 'echo',
  return: 'echo',
  return_number: 'echo',
};

interface Column {
  readonly column: PointColumn | undefined;
  readonly units: PointUnits;
}

/** Returns what a name like `x`, `x_mm`, `Azimuth [deg]` or `t(ms)` means. */
export function columnNamed(typed: string): Column {
  const name = typed.trim().toLowerCase().replaceAll('"', '');
  const [, plain = '', unit = ''] =
    /^(.*?)[\s_]*[[(]\s*([^\])]+)\s*[\])]$/.exec(name) ?? /^(.+)_([^_]+)$/.exec(name) ?? [];
  const units = withUnit({}, unit);
  const own = units === undefined ? name : plain;
  return { column: names[own.replaceAll(' ', '_')], units: units ?? {} };
}

/** Columns of a table of points. */
class Columns {
  readonly isPolar: boolean;
  readonly units: PointUnits;
  readonly #places: ReadonlyMap<PointColumn, number>;

  constructor(readonly texts: readonly string[]) {
    const known = texts.map(columnNamed);
    this.#places = new Map(
      known.flatMap(({ column }, at) => (column === undefined ? [] : [[column, at] as const])).reverse(),
    );
    this.isPolar = !(this.#places.has('x') && this.#places.has('y'));
    if (this.isPolar && !(this.#places.has('range') && this.#places.has('angle'))) {
      throw new PointLineError(
        `expected columns x and y, or range and angle, got ${texts
          .map((text) => text.trim())
          .join(', ')
          .slice(0, 200)}`,
      );
    }
    const used = known.filter(({ column }) => column !== undefined && !this.#other.includes(column));
    this.units = Object.assign({}, ...used.map(({ units }) => units));
  }

  /** The columns of the form that is not used. */
  get #other(): readonly PointColumn[] {
    return this.isPolar ? ['x', 'y'] : ['range', 'angle'];
  }

  point(cells: readonly string[]): GivenPoint {
    if (cells.length !== this.texts.length) {
      throw new PointLineError(`expected ${this.texts.length} columns, got ${cells.length}`);
    }
    const value = (column: PointColumn): number => {
      const at = this.#places.get(column);
      const text = at === undefined ? '' : (cells[at] ?? '').trim();
      const number = numberOf(text);
      if (number === undefined)
        throw new PointLineError(
          `expected a number as ${this.texts[at ?? 0]?.trim()}, got ${JSON.stringify(text.slice(0, 40))}`,
        );
      return number;
    };
    return {
      first: value(this.isPolar ? 'range' : 'x'),
      second: value(this.isPolar ? 'angle' : 'y'),
      time: value('time'),
      frame: value('frame'),
      echo: value('echo'),
    };
  }
}

/** Returns the number of a cell; NaN for an empty one and for words that mean no number, undefined for anything else. */
function numberOf(text: string): number | undefined {
  if (text === '' || /^[-+]?(nan|inf|infinity)$/i.test(text)) return Number.NaN;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Most columns of a table. */
const mostColumns = 64;

/** Most points of one line of JSON. */
const mostPerLine = 100_000;

/** Reads points from lines: tables with a header, objects of JSON for points, and those of `azimuth scan --json`. */
export class PointLines {
  #columns: Columns | undefined;
  #separator: RegExp | string | undefined;

  /** @param given names of the columns of lines without a header */
  constructor(
    readonly points: Points,
    given?: readonly string[],
  ) {
    if (given !== undefined) this.#setColumns(given);
  }

  /** Adds the points of a line. @throws PointLineError */
  add(line: string): void {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) return;
    if (text.startsWith('{')) this.#addJson(text);
    else this.#addCells(text);
  }

  #addCells(text: string): void {
    this.#separator ??= [',', ';', '\t'].find((each) => text.includes(each)) ?? /\s+/;
    if (this.#columns === undefined) {
      const cells = text.split(this.#separator);
      if (cells.length > mostColumns) throw new PointLineError(`expected at most ${mostColumns} columns`);
      if (cells.every((cell) => numberOf(cell.trim()) !== undefined))
        throw new PointLineError(
          'expected a header with the names of the columns; say them with --columns x,y,time',
        );
      this.#setColumns(cells);
      return;
    }
    // A header may come again, for example where files are joined.
    const cells = text.split(this.#separator);
    if (cells.join() === this.#columns.texts.join()) return;
    this.points.add(this.#columns.point(cells));
  }

  #setColumns(texts: readonly string[]): void {
    this.#columns = new Columns(texts);
    this.#require(this.#columns.isPolar, this.#columns.units);
  }

  /** All points are of one form. */
  #require(isPolar: boolean, units: PointUnits): void {
    if (this.points.count > 0 && this.points.isPolar !== isPolar)
      throw new PointLineError('expected all points as x and y, or all as range and angle');
    this.points.isPolar = isPolar;
    this.points.units = { ...this.points.units, ...units };
  }

  #addJson(text: string): void {
    const json = jsonIn(text);
    if (!isObject(json)) throw new PointLineError('expected an object of JSON');
    if (Array.isArray(json.azimuth) && Array.isArray(json.distance)) this.#addScan(json);
    else if (Array.isArray(json.points)) this.#addPoints(json, json.points);
    else this.#addObject(json, {});
  }

  /** A scan as `azimuth scan --json` prints it. */
  #addScan({ azimuth, distance, ...scan }: Readonly<Record<string, unknown>>): void {
    if (!Array.isArray(azimuth) || !Array.isArray(distance)) return;
    const echoes = scan.echoes === undefined ? 1 : numberIn(scan, 'echoes');
    if (!(echoes >= 1 && echoes <= 8)) throw new PointLineError('expected 1 to 8 echoes');
    if (distance.length !== azimuth.length * echoes || distance.length > mostPerLine)
      throw new PointLineError(`expected ${echoes} × ${azimuth.length} distances, got ${distance.length}`);
    this.#require(true, { length: 'mm', angle: 'deg', time: 'us' });
    const [time, endTime] = [numberIn(scan, 'time'), numberIn(scan, 'endTime')];
    const frame = numberIn(scan, 'frame');
    for (const [place, mm] of distance.entries()) {
      const beam = Math.floor(place / echoes);
      this.points.add({
        first: element(mm, 'distance'),
        second: element(azimuth[beam], 'azimuth'),
        time: azimuth.length < 2 ? time : time + ((endTime - time) * beam) / (azimuth.length - 1),
        frame,
        echo: echoes === 1 ? Number.NaN : place % echoes,
      });
    }
  }

  /** An object with a list of points, and what they share. */
  #addPoints(shared: Readonly<Record<string, unknown>>, points: readonly unknown[]): void {
    if (points.length > mostPerLine) throw new PointLineError(`expected at most ${mostPerLine} points`);
    const { points: _, ...others } = shared;
    for (const point of points) {
      if (Array.isArray(point))
        this.#addObject(
          { x: point[0], y: point[1], ...(point[2] === undefined ? {} : { time: point[2] }) },
          others,
        );
      else if (isObject(point)) this.#addObject(point, others);
      else throw new PointLineError('expected points as objects or as [x, y]');
    }
  }

  #addObject(point: Readonly<Record<string, unknown>>, shared: Readonly<Record<string, unknown>>): void {
    const values = new Map<PointColumn, number>();
    let units: PointUnits = {};
    for (const [name, value] of [...Object.entries(shared), ...Object.entries(point)]) {
      const known = columnNamed(name);
      if (known.column === undefined) continue;
      values.set(known.column, element(value, name));
      units = { ...units, ...known.units };
    }
    const isPolar = !(values.has('x') && values.has('y'));
    if (isPolar && !(values.has('range') && values.has('angle')))
      throw new PointLineError('expected the members x and y, or range and angle');
    this.#require(isPolar, units);
    const value = (column: PointColumn) => values.get(column) ?? Number.NaN;
    this.points.add({
      first: value(isPolar ? 'range' : 'x'),
      second: value(isPolar ? 'angle' : 'y'),
      ...{ time: value('time'), frame: value('frame'), echo: value('echo') },
    });
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function numberIn(json: Readonly<Record<string, unknown>>, name: string): number {
  return json[name] === undefined ? Number.NaN : element(json[name], name);
}

/** null stands for what is not there. */
function element(value: unknown, name: string): number {
  if (value === null) return Number.NaN;
  if (typeof value === 'number') return value;
  throw new PointLineError(`expected a number as ${name}`);
}
