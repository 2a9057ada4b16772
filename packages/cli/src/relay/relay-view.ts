import type { Follower } from '@azimuth/bridge/relay';
import type { Outgoing, StreamFigures, Tallied } from '@azimuth/bridge/streams';
import type { ResponsePassed, TimelineEntry } from '@azimuth/bridge/timeline';
import { counted } from '@azimuth/model';
import { entryJson, entryLine, type Single } from './entry-text.js';
import { RepeatedEntries } from './repeated-entries.js';
import { RequestLines } from './request-lines.js';
import { addedTo, isQuiet, type Second, secondLine } from './second-line.js';

/** Interval of sums in ms. */
const sumInterval = 1000;

/** Parts of a relay that are summed up. */
export interface Summed {
  readonly streams: { readonly figures: StreamFigures };
  readonly outgoing: readonly Outgoing[];
}

/** Prints an object or a line. */
type Print = (json: object, line: string, at?: Date) => void;

/** Shows what passes: a line for each entry of the timeline, and each second a line for all telegrams together. */
export class RelayView implements Follower {
  readonly #print: Print;
  readonly #repeated = new RepeatedEntries();
  readonly #requests = new RequestLines();
  readonly #tallies = new Map<Outgoing, Tallied>();
  #summed: Summed | undefined;
  #timer: NodeJS.Timeout | undefined;
  #before: StreamFigures | undefined;
  #wasQuiet = false;

  constructor(print: Print) {
    this.#print = print;
  }

  /** Begins the sums. @param passesStreams false if there is nothing to sum up */
  begin(summed: Summed, passesStreams: boolean): void {
    if (passesStreams) this.#summed = summed;
    this.#timer = setInterval(() => this.sum(), sumInterval);
  }

  follow(entry: TimelineEntry): void {
    switch (entry.kind) {
      case 'telegram':
        return;
      case 'request':
        this.#requests.begin(entry);
        return;
      case 'response':
        this.#answered(entry);
        return;
      default:
        if (this.#repeated.isFirst(entry)) this.#show(entry);
    }
  }

  /** Shows the rest. */
  end(): Promise<void> {
    clearInterval(this.#timer);
    this.sum();
    return Promise.resolve();
  }

  /** Shows the sum since the last one; after a second in which nothing came, only when something comes again. */
  sum(): void {
    const { repeated, others } = this.#repeated.take();
    for (const { entry, times } of repeated) {
      this.#print({ ...entryJson(entry), times }, `${entryLine(entry)}  (${times} more times)`);
    }
    if (others > 0) {
      const text = counted(
        others,
        'more finding or fault of another kind',
        'more findings and faults of other kinds',
      );
      this.#print({ kind: 'others', entries: others }, text);
    }
    if (this.#summed === undefined) return;
    const second = this.#second(this.#summed);
    const quiet = isQuiet(second);
    if (!quiet || !this.#wasQuiet) this.#print(second, secondLine(second));
    this.#wasQuiet = quiet;
  }

  #answered(response: ResponsePassed): void {
    const request = this.#requests.end(response);
    if (request !== undefined) this.#print(request.json, request.line, new Date(request.at / 1000));
  }

  #show(entry: Single): void {
    this.#print(entryJson(entry), entryLine(entry), new Date(entry.at / 1000));
  }

  #second({ streams, outgoing }: Summed): Second {
    const before = this.#before;
    const now = streams.figures;
    this.#before = { ...now, losses: { ...now.losses } };
    return {
      kind: 'second',
      telegrams: now.telegrams - (before?.telegrams ?? 0),
      bytes: now.bytes - (before?.bytes ?? 0),
      lost: Math.max(0, now.losses.telegrams - (before?.losses.telegrams ?? 0)),
      damaged: now.losses.damaged - (before?.losses.damaged ?? 0),
      unseen: now.unseen - (before?.unseen ?? 0),
      receivers: outgoing.map((one) => {
        const { tally, url: to, clients } = one;
        const added = addedTo(this.#tallies.get(one), tally);
        this.#tallies.set(one, { sent: tally.sent, bytes: tally.bytes, lost: { ...tally.lost } });
        return { to, clients, ...added };
      }),
    };
  }
}
