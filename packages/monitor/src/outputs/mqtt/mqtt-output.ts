import { hostname } from 'node:os';
import type { LogEntry } from '../../log/log-entry.js';
import type { ScannerSnapshot } from '../../state/scanner-snapshot.js';
import { passes } from '../entry-filter.js';
import type { Output, OutputCounts } from '../output.js';
import { bytesOfEntry, changeText, lossEntry, type OutputBasics } from '../queued-output.js';
import { SendQueue } from '../send-queue.js';
import { webhookBody } from '../webhook/webhook-body.js';
import { discoveryOf } from './home-assistant.js';
import { type CommandRights, MqttCommands } from './mqtt-commands.js';
import { MqttConnection } from './mqtt-connection.js';
import { retainedState } from './retained-state.js';
import { Topics } from './topics.js';

export interface MqttOptions extends OutputBasics {
  readonly url: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly ca?: string | undefined;
  /** First levels of all topics; `azimuth` by default. */
  readonly prefix?: string | undefined;
  /** True to describe all scanners to Home Assistant. */
  readonly homeAssistant?: boolean | undefined;
  /** Rights of messages over scanners; none if undefined. */
  readonly commands?: CommandRights | undefined;
}

/** Messages that are on their way to the broker at the same time. */
const atOnce = 16;

/** Publishes entries, and retained topics that say how each scanner is now. */
export class MqttOutput implements Output {
  readonly name: string;
  readonly #options: MqttOptions;
  readonly #topics: Topics;
  readonly #commands: MqttCommands | undefined;
  readonly #events: SendQueue<LogEntry>;
  /** Has at most one item: that retained topics are to be published. */
  readonly #updates: SendQueue<'update'>;
  /** Payloads of retained topics, as they should be. */
  readonly #retained = new Map<string, string>();
  /** Topics whose present payload the broker does not have. */
  readonly #unpublished = new Set<string>();
  #connection: Promise<MqttConnection> | undefined;
  #closing = false;
  /** The failure that was reported last. */
  #told: string | undefined;

  constructor(options: MqttOptions) {
    this.#options = options;
    this.name = options.name;
    const { prefix = 'azimuth', commands, clock, report, bounds, random } = options;
    const shared = { clock, bounds, random, onChange: (failure?: Error) => this.#tell(failure) };
    this.#topics = new Topics(prefix);
    this.#commands = commands && new MqttCommands(commands, this.#topics, report);
    this.#events = new SendQueue({
      ...{ ...shared, bytesOf: bytesOfEntry },
      send: (entry, signal) => this.#sendEvent(entry, signal),
      lossItem: (lost) => lossEntry(clock.now(), lost),
    });
    this.#updates = new SendQueue({
      ...{ ...shared, bytesOf: () => 0, lossItem: () => 'update' as const },
      send: (_, signal) => this.#sendRetained(signal),
    });
    this.#set(this.#topics.status, 'online');
  }

  get counts(): OutputCounts {
    return this.#events.counts;
  }

  accept(entry: LogEntry): void {
    if (passes(this.#options.filter, entry)) this.#events.add(entry);
  }

  show(snapshot: ScannerSnapshot): void {
    if (this.#options.filter.scanner?.(snapshot.name) === false) return;
    const { homeAssistant = false } = this.#options;
    const topics = [
      ...retainedState(snapshot, this.#topics),
      ...(homeAssistant ? discoveryOf(snapshot, this.#topics) : []),
    ];
    for (const [topic, payload] of topics) this.#set(topic, payload);
  }

  async close(longestMs: number): Promise<void> {
    this.#set(this.#topics.status, 'offline');
    this.#closing = true;
    await Promise.all([this.#events.close(longestMs), this.#updates.close(longestMs)]);
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.end();
  }

  /** Both queues fail and work together: each change is told once. */
  #tell(failure: Error | undefined): void {
    if (failure?.message === this.#told) return;
    this.#told = failure?.message;
    this.#options.report(changeText(this.name, failure));
  }

  #set(topic: string, payload: string): void {
    if (this.#retained.get(topic) === payload) return;
    this.#retained.set(topic, payload);
    this.#unpublished.add(topic);
    this.#update();
  }

  #update(): void {
    if (this.#updates.counts.waiting === 0) this.#updates.add('update');
  }

  async #sendEvent(entry: LogEntry, signal: AbortSignal): Promise<void> {
    const connection = await this.#connected(signal);
    await connection.publish(this.#topics.eventOf(entry.scanner), webhookBody(entry), {
      properties: { contentType: 'application/json' },
    });
  }

  async #sendRetained(signal: AbortSignal): Promise<void> {
    const connection = await this.#connected(signal);
    while (this.#unpublished.size > 0) {
      const topics = [...this.#unpublished].slice(0, atOnce);
      await Promise.all(topics.map((topic) => this.#sendTopic(connection, topic)));
    }
  }

  async #sendTopic(connection: MqttConnection, topic: string): Promise<void> {
    const payload = this.#retained.get(topic) ?? '';
    await connection.publish(topic, payload, { retain: true });
    // It may have changed meanwhile.
    if (this.#retained.get(topic) === payload) this.#unpublished.delete(topic);
  }

  /** Returns the present connection, or opens one. */
  async #connected(signal: AbortSignal): Promise<MqttConnection> {
    this.#connection ??= this.#open(signal);
    try {
      return await this.#connection;
    } catch (error) {
      this.#connection = undefined;
      throw error;
    }
  }

  async #open(signal: AbortSignal): Promise<MqttConnection> {
    const { url, user, password, ca, prefix = 'azimuth' } = this.#options;
    const connection = await MqttConnection.open(
      {
        ...{ url, user, password, ca },
        clientId: `${prefix.replaceAll('/', '-')}-${hostname()}-${process.pid}`,
        will: { topic: this.#topics.status, payload: 'offline' },
      },
      signal,
    );
    connection.closed.then(() => this.#lost());
    try {
      await this.#commands?.listen(connection);
    } catch (error) {
      connection.destroy();
      throw error;
    }
    // A broker that was restarted may have forgotten all of them.
    for (const topic of this.#retained.keys()) this.#unpublished.add(topic);
    this.#update();
    return connection;
  }

  #lost(): void {
    this.#connection = undefined;
    if (this.#closing) return;
    // The broker has published the will: it has to be told that the monitor runs.
    this.#unpublished.add(this.#topics.status);
    this.#update();
  }
}
