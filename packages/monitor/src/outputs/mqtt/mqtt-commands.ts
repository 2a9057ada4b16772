import { isObject } from '@azimuth/model';
import type { IPublishPacket } from 'mqtt';
import type { OutputReport } from '../queued-output.js';
import { discoveryPrefix } from './home-assistant.js';
import type { MqttConnection } from './mqtt-connection.js';
import type { Topics } from './topics.js';

/** Commands that messages may give, if the operator allows it. */
export const mqttCommands = ['reboot', 'find-me'] as const;

export type MqttCommand = (typeof mqttCommands)[number];

/** Rights of messages over scanners. */
export interface CommandRights {
  readonly allowed: readonly MqttCommand[];
  /** Names of the scanners that messages may command. */
  readonly scanners: readonly string[];
  /** Carries a command out. @throws Error with one line for people, without secrets */
  readonly carryOut: (scanner: string, command: MqttCommand) => Promise<void>;
}

/** Commands that may wait for earlier ones. */
const mostWaiting = 20;

/** Maximum bytes of correlation data that a response repeats. */
const longestCorrelation = 1024;

/** Content of a response: JSON. */
interface Outcome {
  readonly outcome: 'done' | 'refused' | 'failed';
  readonly text?: string;
}

/** Carries out commands that come as messages, one after the other, and responds to each that asks for it. */
export class MqttCommands {
  readonly #rights: CommandRights;
  readonly #topics: Topics;
  readonly #report: OutputReport;
  /** Names of scanners by the topics of their commands. */
  readonly #scanners: ReadonlyMap<string, string>;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(rights: CommandRights, topics: Topics, report: OutputReport) {
    this.#rights = rights;
    this.#topics = topics;
    this.#report = report;
    this.#scanners = new Map(rights.scanners.map((name) => [topics.command(name), name]));
  }

  async listen(connection: MqttConnection): Promise<void> {
    await connection.subscribe(this.#topics.commands, (packet) => this.#accept(connection, packet));
  }

  #accept(connection: MqttConnection, packet: IPublishPacket): void {
    if (this.#waiting >= mostWaiting) {
      void this.#respond(connection, packet, refused(`${mostWaiting} commands wait already`));
      return;
    }
    this.#waiting++;
    this.#last = this.#last.then(async () => {
      const outcome = await this.#outcomeOf(packet);
      this.#waiting--;
      await this.#respond(connection, packet, outcome);
    });
  }

  async #outcomeOf({ topic, payload, retain }: IPublishPacket): Promise<Outcome> {
    const scanner = this.#scanners.get(topic);
    if (scanner === undefined) return refused('there is no such scanner');
    // It would come again at each connection.
    if (retain) return refused('expected a message that is not retained');
    const command = commandIn(payload.toString());
    if (command === undefined) return refused(`expected one of ${mqttCommands.join(', ')}`);
    if (!this.#rights.allowed.includes(command)) return refused(`${command} is not allowed`);
    try {
      await this.#rights.carryOut(scanner, command);
      this.#report(`${command} of ${scanner} by a message: done`);
      return { outcome: 'done' };
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.#report(`${command} of ${scanner} by a message failed: ${text}`);
      return { outcome: 'failed', text };
    }
  }

  async #respond(
    connection: MqttConnection,
    { properties }: IPublishPacket,
    outcome: Outcome,
  ): Promise<void> {
    const { responseTopic = '', correlationData } = properties ?? {};
    const isOurs =
      responseTopic.startsWith(`${discoveryPrefix}/`) || !this.#topics.isForResponses(responseTopic);
    if (isOurs || (correlationData?.length ?? 0) > longestCorrelation) return;
    const data = correlationData === undefined ? {} : { correlationData };
    // The one who asked waits no longer if the connection is lost: the log tells what was done.
    await connection
      .publish(responseTopic, JSON.stringify(outcome), {
        properties: { contentType: 'application/json', ...data },
      })
      .catch(() => undefined);
  }
}

function refused(text: string): Outcome {
  return { outcome: 'refused', text };
}

/** Returns the command of a payload: its word, or JSON such as `{"command":"reboot"}`. */
function commandIn(payload: string): MqttCommand | undefined {
  const word = payload.trim();
  return mqttCommands.find((command) => command === word || command === wordInJson(word));
}

function wordInJson(payload: string): unknown {
  try {
    const json: unknown = JSON.parse(payload);
    return isObject(json) ? json.command : undefined;
  } catch {
    return undefined;
  }
}
