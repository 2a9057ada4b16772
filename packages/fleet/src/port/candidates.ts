import type { Fleet, FleetMember } from '../fleet.js';
import { matcherOf } from '../scanners/scanner-facts.js';
import { scannerStates } from '../scanners/scanner-state.js';
import { Trigrams } from '../search/trigrams.js';
import { selectedBy } from './fleet-requests.js';
import { turnsOf } from './in-turns.js';

const byPlace = (one: FleetMember, other: FleetMember) => one.place - other.place;

/**
 * The scanners that a page of the list may select, in the order of the fleet: as few as the query allows. So a filter by
 * group, by state or by parts of a serial number does not look at all scanners.
 */
export class Candidates {
  readonly #fleet: Fleet;
  readonly #lookedAt: number;
  /** The scanners for which the lists below were made. */
  #of: readonly FleetMember[] = [];
  #groups: ReadonlyMap<string, readonly FleetMember[]> | undefined;
  #bySerial: readonly FleetMember[] | undefined;
  /** Serial numbers by their parts, with the index of the scanner as its place. */
  #parts: Promise<Trigrams> | undefined;

  /** @param lookedAt scanners that are looked at for a page before an index is asked or made */
  constructor(fleet: Fleet, lookedAt = 2500) {
    this.#fleet = fleet;
    this.#lookedAt = lookedAt;
  }

  /** @param query with a limit, unless it names one scanner */
  async of(query: URLSearchParams): Promise<readonly FleetMember[]> {
    const { inOrder } = this.#fleet;
    if (inOrder !== this.#of) {
      this.#of = inOrder;
      this.#groups = undefined;
      this.#bySerial = undefined;
      this.#parts = undefined;
    }
    const lists = [this.#ofState(query.get('state')), this.#ofGroup(query.get('group'))];
    const least = lists.reduce((one, other) => (other.length < one.length ? other : one));
    const pattern = query.get('q') ?? '*';
    // Without a star, it is one serial number.
    if (pattern === '*' || !pattern.includes('*') || this.#isFoundSoon(least, query)) return least;
    if (pattern.endsWith('/*')) return this.#ofGroups(pattern, least);
    const [beginning = '', ...parts] = pattern.split('*');
    const ending = parts.pop() ?? '';
    const first = this.#beginningWith(beginning, least);
    if (first.length <= this.#lookedAt) return first;
    const others = parts.filter((part) => part !== '');
    return others.length === 0 && ending === '' ? first : this.#withParts(others, ending, first);
  }

  /** True if the first scanners of a list fill the page. */
  #isFoundSoon(list: readonly FleetMember[], query: URLSearchParams): boolean {
    if (list.length <= this.#lookedAt) return true;
    const isSelected = selectedBy(query);
    const wanted = Number(query.get('from') ?? 0) + Number(query.get('limit'));
    const selected = list
      .slice(0, this.#lookedAt)
      .filter(({ facts: { serial, group }, state }) => isSelected({ serial, group, state }));
    return selected.length >= wanted;
  }

  /** Most scanners are idle, so a page of idle ones is found after a few others. */
  #ofState(state: string | null): readonly FleetMember[] {
    const { standing, adopted, inOrder } = this.#fleet;
    if (state === null || state === 'idle') return inOrder;
    const virtual = scannerStates.find((one) => one === state);
    if (virtual === undefined || virtual === 'idle') return [...adopted].sort(byPlace);
    return [...standing.of(virtual)].sort(byPlace);
  }

  #ofGroup(group: string | null): readonly FleetMember[] {
    if (group === null) return this.#of;
    this.#groups ??= grouped(this.#of);
    return this.#groups.get(group) ?? [];
  }

  /** @param pattern of groups: `hall*\/*` @param others returned if they are fewer */
  #ofGroups(pattern: string, others: readonly FleetMember[]): readonly FleetMember[] {
    this.#groups ??= grouped(this.#of);
    const matches = matcherOf(pattern);
    const matching = [...this.#groups].filter(([group]) => matches({ serial: '', group }));
    const count = matching.reduce((sum, [, { length }]) => sum + length, 0);
    return count < others.length ? matching.flatMap(([, members]) => members).sort(byPlace) : others;
  }

  /** @param others returned if they are fewer */
  #beginningWith(beginning: string, others: readonly FleetMember[]): readonly FleetMember[] {
    if (beginning === '') return others;
    this.#bySerial ??= this.#of.toSorted((one, other) => compared(one.facts.serial, other.facts.serial));
    const list = this.#bySerial;
    const from = firstFrom(list, beginning);
    // Serial numbers are ASCII.
    const to = firstFrom(list, `${beginning}\u{7f}`);
    return to - from < others.length ? list.slice(from, to).sort(byPlace) : others;
  }

  /** @param others returned if they are fewer */
  async #withParts(
    parts: readonly string[],
    ending: string,
    others: readonly FleetMember[],
  ): Promise<readonly FleetMember[]> {
    const of = this.#of;
    this.#parts ??= serialsInTurns(of);
    const serials = await this.#parts;
    const { places } = ending === '' ? serials.withWords(parts) : serials.withEnding(parts, ending);
    return places.size < others.length ? [...places].flatMap((place) => of[place] ?? []) : others;
  }
}

async function serialsInTurns(members: readonly FleetMember[]): Promise<Trigrams> {
  const serials = new Trigrams(members.length);
  let place = 0;
  for await (const some of turnsOf(members))
    for (const { facts } of some) serials.add(place++, [facts.serial]);
  return serials;
}

function grouped(members: readonly FleetMember[]): ReadonlyMap<string, readonly FleetMember[]> {
  const groups = new Map<string, FleetMember[]>();
  for (const member of members) {
    const { group } = member.facts;
    const list = groups.get(group);
    if (list === undefined) groups.set(group, [member]);
    else list.push(member);
  }
  return groups;
}

function compared(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Index of the first scanner whose serial number is not before a text. */
function firstFrom(list: readonly FleetMember[], text: string): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if ((list[middle]?.facts.serial ?? '') < text) from = middle + 1;
    else to = middle;
  }
  return from;
}
