import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ScannerLink } from '../connection/scanner-link.js';
import { isSamePlacement, type Placement, pointAlong } from '../plan/placement.js';
import { bothBounds, Plan, type PlanBounds, type PlanPoint } from '../plan/plan.js';
import { type BeamReading, beamAt, beamReading, type EchoReading, echoNear } from './beam-reading.js';
import { Comparison } from './comparison.js';
import { DrawingTimes } from './drawing-times.js';
import { ScanHistory } from './scan-history.js';
import { ScanSource } from './scan-source.js';

/** Meaning of the colours of points. */
export type Colouring = 'strength' | 'echo' | 'scanner';

/** A beam that was chosen, or is under the pointer. */
interface ChosenBeam {
  readonly source: ScanSource;
  /** rad, about the scanner. It stays when another performance profile numbers the beams anew. */
  readonly azimuth: number;
  /** Counts from 1. */
  readonly echo: number;
}

/** A chosen beam with its measurement in the scan in sight. */
export interface BeamInSight {
  readonly chosen: ChosenBeam;
  readonly reading: BeamReading;
}

/** Distance in CSS pixels up to which an echo counts as under the pointer. */
const nearPointer = 14;
/** Room of a history, shared by all scanners of the page. */
const room = { beams: 5_600_000, echoes: 15_000_000 } as const;

/** State of the live view: scanners, time and selection. */
export class LiveState {
  readonly plan = new Plan();
  readonly sources: readonly ScanSource[];
  readonly times = new DrawingTimes();
  readonly colouring: Signal<Colouring>;
  /** Time (s) for which points stay in sight; 0 without a trail. */
  readonly trail: Signal<number> = signal(0);
  /** True if the view shows the area that the scanners can see. */
  readonly showsSeen: Signal<boolean> = signal(true);
  readonly showsFields: Signal<boolean> = signal(true);
  /** True if rings mark the reflectors. */
  readonly showsReflectors: Signal<boolean> = signal(true);
  /** True if lines show where the segments of a scan begin: each comes in a telegram of its own. */
  readonly showsSegments: Signal<boolean> = signal(false);
  readonly comparison = new Comparison();
  readonly #changedLink: Signal<ScannerLink | undefined> = signal(undefined);
  /** The scanner whose scans were compared last. */
  readonly changedLink: ReadonlySignal<ScannerLink | undefined> = this.#changedLink;
  /** True if scanners are at their mounting positions. A single scanner is in the middle of the plan at first. */
  readonly byMounting: Signal<boolean>;
  /** The scanner of the open question whether to send its scan data here; undefined if no question is open. */
  readonly aiming: Signal<ScanSource | undefined> = signal(undefined);
  /** Up to two points between which a distance is measured; undefined while none is. */
  readonly measured: Signal<readonly PlanPoint[] | undefined> = signal(undefined);
  /** True while the measured points belong to the scale of the background: they do not move to echoes. */
  readonly isPicking: Signal<boolean> = signal(false);
  readonly chosen: Signal<ChosenBeam | undefined> = signal(undefined);
  readonly #shownAt: Signal<number | undefined> = signal(undefined);
  /** The time that is shown (ms, performance.now()); undefined while the view is live. */
  readonly shownAt: ReadonlySignal<number | undefined> = this.#shownAt;
  readonly #scans: Signal<number> = signal(0);
  /** Counts the drawings with new scans. Layers that show scans read it. */
  readonly scans: ReadonlySignal<number> = this.#scans;
  readonly #seconds: Signal<number> = signal(0);
  /** Rises four times a second. Components that show numbers follow it: people do not read faster. */
  readonly seconds: ReadonlySignal<number> = this.#seconds;
  #request = 0;
  /** The placements of the scanners to which the plan was fitted. */
  #fitted: readonly (Placement | undefined)[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(links: readonly ScannerLink[]) {
    // With several scanners, the colour first shows which scanner sees what.
    this.colouring = signal(links.length > 1 ? 'scanner' : 'strength');
    this.byMounting = signal(links.length > 1);
    const share = {
      beams: Math.floor(room.beams / links.length),
      echoes: Math.floor(room.echoes / links.length),
    };
    this.sources = links.map(
      (link) => new ScanSource(link, new ScanHistory(share), () => this.#arrived(), this.byMounting),
    );
  }

  /** Follows the scanners while the page is in sight, until `close`. */
  open(): void {
    document.addEventListener('visibilitychange', this.#follow);
    this.#follow();
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.#follow);
    this.#rest();
  }

  /** Shows the scans of a time; the newest ones without a time. While a time is shown no scans are added. */
  show(at: number | undefined): void {
    this.#shownAt.value = at;
    this.#redraw();
  }

  toggleFreeze(): void {
    this.show(this.#shownAt.peek() === undefined ? performance.now() : undefined);
  }

  /** Shows the scan before or after the one in sight. */
  step(by: 1 | -1): void {
    const [source] = this.sources;
    if (source === undefined) return;
    const { scans } = source.history;
    const place = source.history.placeAt(this.#shownAt.peek() ?? performance.now()) + by;
    const scan = scans[Math.max(0, Math.min(scans.length - 1, place))];
    if (scan !== undefined) this.show(scan.at);
  }

  /** The first and the last stored time, in ms. */
  get span(): { readonly from: number; readonly to: number } | undefined {
    const all = this.sources.flatMap(({ history: { scans, newest } }) => {
      const [oldest] = scans;
      return oldest === undefined || newest === undefined ? [] : [{ from: oldest.at, to: newest.at }];
    });
    if (all.length === 0) return undefined;
    return { from: Math.min(...all.map(({ from }) => from)), to: Math.max(...all.map(({ to }) => to)) };
  }

  /** The beam with the echo that is nearest to a point, if one is near it. */
  beamNear(point: PlanPoint): ChosenBeam | undefined {
    let least = nearPointer / this.plan.viewport.peek().scale;
    let nearest: ChosenBeam | undefined;
    for (const source of this.sources) {
      const scan = source.scanAt(this.#shownAt.peek());
      if (scan === undefined) continue;
      const echo = echoNear(source.history, scan, source.placement.peek(), point, least);
      if (echo === undefined) continue;
      least = echo.gap;
      nearest = { source, azimuth: scan.directions.azimuth[echo.beam] ?? 0, echo: echo.echo };
    }
    return nearest;
  }

  /** Returns the measurement of a beam in the scan in sight. */
  inSight(chosen: ChosenBeam): BeamInSight | undefined {
    const { source, azimuth } = chosen;
    const scan = source.scanAt(this.#shownAt.peek());
    if (scan === undefined) return undefined;
    const beam = beamAt(scan, azimuth);
    return { chosen, reading: beamReading(source.history, scan, source.placement.peek(), beam) };
  }

  /** The echo that is nearest to a point, if one is near it, with its beam. */
  seenNear(point: PlanPoint): { readonly echo: EchoReading; readonly reading: BeamReading } | undefined {
    const near = this.beamNear(point);
    const reading = near && this.inSight(near)?.reading;
    const echo = reading?.echoes.find((one) => one.echo === near?.echo);
    return reading && echo && { echo, reading };
  }

  /**
   * Changes a setting of a scanner, and shows its scans before and after the change. The view is live then.
   * @throws what `change` throws
   */
  async changed<T>(link: ScannerLink, change: () => Promise<T>): Promise<T> {
    const source = this.sources.find((one) => one.link === link);
    return this.comparison.around(source, async () => {
      const done = await change();
      this.#changedLink.value = link;
      this.show(undefined);
      return done;
    });
  }

  /** A press on the plan: sets a point of the measurement, or chooses a beam. */
  press(point: PlanPoint): void {
    const before = this.measured.peek();
    if (before === undefined) {
      this.chosen.value = this.beamNear(point);
      return;
    }
    const snapped = this.isPicking.peek()
      ? point
      : (this.#scannerNear(point) ?? this.seenNear(point)?.echo.point ?? point);
    this.measured.value = before.length === 1 ? [...before, snapped] : [snapped];
  }

  /** The middle of a scanner that is near a point. */
  #scannerNear({ x, y }: PlanPoint): PlanPoint | undefined {
    const reach = nearPointer / this.plan.viewport.peek().scale;
    return this.sources
      .map(({ placement }) => placement.peek())
      .find((place) => Math.hypot(place.x - x, place.y - y) <= reach);
  }

  /** The rectangle around everything that the scanners see now, and around them. */
  get bounds(): PlanBounds | undefined {
    return this.sources.reduce<PlanBounds | undefined>(
      (bounds, source) => boundsAround(source, bounds),
      undefined,
    );
  }

  toggleMeasuring(): void {
    this.isPicking.value = false;
    this.measured.value = this.measured.peek() === undefined ? [] : undefined;
  }

  /** Clears the chosen beam and the measured points. */
  drop(): void {
    this.isPicking.value = false;
    this.measured.value = undefined;
    this.chosen.value = undefined;
  }

  fit(): void {
    const { bounds } = this;
    if (bounds !== undefined) this.plan.fit(bounds);
  }

  readonly #follow = (): void => {
    if (document.hidden) {
      this.#rest();
      return;
    }
    for (const source of this.sources) source.open();
    this.#timer ??= setInterval(() => {
      this.#seconds.value++;
      this.comparison.update(performance.now());
    }, 250);
    this.#redraw();
  };

  #rest(): void {
    for (const source of this.sources) source.close();
    clearInterval(this.#timer);
    this.#timer = undefined;
    cancelAnimationFrame(this.#request);
    this.#request = 0;
  }

  /** @returns true if the scan is stored */
  #arrived(): boolean {
    if (this.#shownAt.peek() !== undefined) return false;
    this.#redraw();
    return true;
  }

  /** Fits the plan to the first scan of each scanner, and anew when its mounting position becomes known or changes. */
  #suggest(): void {
    const isFitted = this.sources.every(({ history, placement }, index) => {
      const before = this.#fitted[index];
      if (history.newest === undefined) return true;
      return before !== undefined && isSamePlacement(before, placement.peek());
    });
    if (isFitted) return;
    this.#fitted = this.sources.map(({ history, placement }) => history.newest && placement.peek());
    const { bounds } = this;
    if (bounds !== undefined) this.plan.suggest(bounds);
  }

  #redraw(): void {
    if (this.#request === 0) this.#request = requestAnimationFrame(this.#draw);
  }

  readonly #draw = (): void => {
    this.#request = 0;
    const begin = performance.now();
    const isFirst = this.#scans.peek() === 0;
    let waiting = 0;
    let behind = 0;
    for (const source of this.sources) {
      if (source.waiting > 0) behind = Math.max(behind, source.delay.behind(begin));
      waiting = Math.max(waiting, source.waiting);
      source.waiting = 0;
    }
    if (waiting > 0) this.#suggest();
    if (!isFirst || waiting > 0) this.#scans.value++;
    if (waiting > 0) this.times.add(performance.now() - begin, waiting, behind);
  };
}

/** The rectangle around another one, a scanner and the scan in sight. */
function boundsAround(
  { history, placement }: ScanSource,
  start: PlanBounds | undefined,
): PlanBounds | undefined {
  const scan = history.newest;
  if (scan === undefined) return start;
  const place = placement.peek();
  const { x, y } = place;
  let bounds = bothBounds(start, { minX: x, maxX: x, minY: y, maxY: y });
  let echo = scan.firstEcho;
  for (let beam = 0; beam < scan.beams; beam++) {
    const [cos, sin] = [scan.directions.cos[beam] ?? 0, scan.directions.sin[beam] ?? 0];
    for (let mask = history.masks[scan.firstBeam + beam] ?? 0; mask !== 0; mask &= mask - 1) {
      const point = pointAlong(place, cos, sin, history.distance[echo++] ?? 0);
      bounds = bothBounds(bounds, { minX: point.x, maxX: point.x, minY: point.y, maxY: point.y });
    }
  }
  return bounds;
}
