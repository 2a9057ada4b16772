// Requests of many scanners through the gateways of a fleet. Arguments: first serial number, number of scanners, ports of the
// gateways with commas. Ready at once. For the message `KIND IN_FLIGHT SECONDS`, it sends as fast as the responses arrive; for
// `rate READS SAVES SECONDS`, it sends so many a second. It sends counts and latencies back. KIND: read, save, or event (a write
// until its event has arrived).
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { variable, variablePath } from '../compared-servers.js';
import { Connection } from '../load/connection.js';
import { Latencies } from '../load/latencies.js';
import {
  challengeIn,
  challengeRequest,
  getRequest,
  hash1Of,
  login,
  loginHeader,
  postRequest,
  responses,
} from '../load/rest-messages.js';

const [first = '', count = '', gateways = ''] = process.argv.slice(2);
const ports = gateways.split(',').map(Number);
/** Connections for requests at a rate: enough for all that are under way. */
const rateLanes = 32;

/** Number of saves of all connections so far: each changes its scanner, and an unchanged one would save nothing. */
let saves = 0;

function fail(error: Error): never {
  throw error;
}

/** One connection, with scanners that no other connection asks: a scanner knows one challenge at a time. */
class Lane {
  readonly #connection: Connection;
  readonly #serials: readonly number[];
  #turn = 0;

  private constructor(connection: Connection, serials: readonly number[]) {
    this.#connection = connection;
    this.#serials = serials;
  }

  static async open(index: number, of: number): Promise<Lane> {
    const port = ports[index % ports.length] ?? 0;
    const serials = Array.from({ length: Number(count) }, (_, number) => Number(first) + number);
    return new Lane(
      await Connection.open(port, fail),
      serials.filter((_, number) => number % of === index),
    );
  }

  /** The next of its scanners. */
  get path(): string {
    this.#turn++;
    return `/scanners/${this.#serials[this.#turn % this.#serials.length]}`;
  }

  /** @returns ms */
  async read(path = this.path): Promise<number> {
    const sent = performance.now();
    await this.#connection.request(getRequest(path + variablePath));
    return performance.now() - sent;
  }

  /** Saves a changed value. @returns ms of the request itself, without the write and the challenge before */
  async save(path = this.path): Promise<number> {
    await this.write(path, `Hall ${saves++}`);
    return this.#post(path, 'WriteEeprom', '', responses.saved);
  }

  write(path: string, value: string): Promise<number> {
    return this.#post(path, variable, `,"data":${JSON.stringify({ [variable]: value })}`, responses.written);
  }

  async #post(path: string, endpoint: string, data: string, expected: string): Promise<number> {
    const { user, password } = login;
    const challenge = challengeIn(await this.#connection.request(challengeRequest(user, path)));
    const hash1 = hash1Of(user, challenge.realm, password, challenge.salt);
    const header = loginHeader(user, hash1, challenge, endpoint);
    const request = postRequest(`${path}/api/${endpoint}`, `{"header":${header}${data}}`);
    const sent = performance.now();
    const response = await this.#connection.request(request);
    if (response !== expected) throw new Error(`${endpoint} was refused: ${response.slice(0, 200)}`);
    return performance.now() - sent;
  }

  close(): void {
    this.#connection.close();
  }
}

type Act = (lane: Lane) => Promise<number>;

/** Acts of all lanes for some seconds, each as soon as the one before has ended. */
async function asFast(act: Act, lanes: readonly Lane[], seconds: number, latencies: Latencies) {
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    lanes.map(async (lane) => {
      while (performance.now() < until) latencies.add(await act(lane));
    }),
  );
}

/** So many acts a second. If all lanes are busy, the next act waits: then it is a few less. */
async function atRate(act: Act, lanes: readonly Lane[], perSecond: number, seconds: number, to: Latencies) {
  const free = [...lanes];
  const under: Promise<void>[] = [];
  const until = performance.now() + seconds * 1000;
  for (let due = performance.now(); due < until; due += 1000 / perSecond) {
    await pause(Math.max(0, due - performance.now()));
    while (free.length === 0) await pause(1);
    const lane = free.shift();
    if (lane === undefined) continue;
    under.push(
      act(lane).then((latency) => {
        to.add(latency);
        free.push(lane);
      }),
    );
  }
  await Promise.all(under);
}

/** From a write until its event has come through the gateway, one after the other. */
async function events(seconds: number, latencies: Latencies): Promise<void> {
  const lane = await Lane.open(0, Number(count));
  const { path } = lane;
  const socket = new WebSocket(`ws://127.0.0.1:${ports.at(-1)}${path}/x/events?names=${variable}`);
  await once(socket, 'open');
  const until = performance.now() + seconds * 1000;
  for (let number = 0; performance.now() < until; number++) {
    const event = once(socket, 'message');
    // The response to the write comes before or after its event.
    const written = lane.write(path, `Hall ${number}`).then((latency) => performance.now() - latency);
    await event;
    const at = performance.now();
    latencies.add(at - (await written));
  }
  socket.close();
  lane.close();
}

const acts: Readonly<Record<string, Act>> = {
  read: (lane) => lane.read(),
  save: (lane) => lane.save(),
};

const openLanes = (number: number) =>
  Promise.all(Array.from({ length: number }, (_, index) => Lane.open(index, number)));

async function measure(kind: string, words: readonly number[]) {
  const [one, two] = [new Latencies(), new Latencies()];
  const begun = performance.now();
  if (kind === 'event') await events(words[1] ?? 1, one);
  else if (kind === 'rate') {
    const [reads = 1, saves = 1, seconds = 1] = words;
    const lanes = await openLanes(2 * rateLanes);
    await Promise.all([
      atRate((lane) => lane.read(), lanes.slice(0, rateLanes), reads, seconds, one),
      atRate((lane) => lane.save(), lanes.slice(rateLanes), saves, seconds, two),
    ]);
    for (const lane of lanes) lane.close();
  } else {
    const [inFlight = 1, seconds = 1] = words;
    const lanes = await openLanes(inFlight);
    await asFast(acts[kind] ?? fail(new Error(`no ${kind}`)), lanes, seconds, one);
    for (const lane of lanes) lane.close();
  }
  return {
    seconds: (performance.now() - begun) / 1000,
    operations: one.total,
    p50: one.quantile(0.5),
    p99: one.quantile(0.99),
    saves: two.total,
    saveP50: two.quantile(0.5),
    saveP99: two.quantile(0.99),
  };
}

process.on('message', (message) => {
  const [kind = '', ...words] = String(message).split(' ');
  void measure(kind, words.map(Number)).then((figures) => process.send?.(figures));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
