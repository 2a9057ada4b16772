import { transformTopics } from '@azimuth/device/ros2';
import { messageSchemas } from '../messages/index.js';
import type { BridgedScanner } from '../scanners/bridged-scanner.js';
import { poseWhileWanted } from '../scanners/scanner-pose.js';
import { ScannerStreams } from '../scanners/scanner-streams.js';
import { type StreamTopic, streamTopics, topicOf } from '../scanners/stream-topics.js';
import { jsonOf, type RosVersion, typeName } from './ros-json.js';
import { type AdvertisedTopic, RosbridgeConnection } from './rosbridge-connection.js';

/** What can be published, by the words of the command. */
export const publications = ['scan', 'cloud', 'imu', 'tf'] as const;

export type Publication = (typeof publications)[number];

export interface RosbridgeBridgeOptions {
  readonly url: string;
  readonly ros: RosVersion;
  readonly scanners: readonly BridgedScanner[];
  readonly publish: readonly Publication[];
  readonly onLine: (line: string) => void;
}

/** A topic of all scanners: the latest transforms of each count, so the server keeps them for those who come later. */
const transformTopic = `/${transformTopics.fixed}`;

/** The topics of data streams by the words of the command. Several echoes of a beam have no place in most programs of ROS. */
const wordOf: ReadonlyMap<string, Publication> = new Map([
  [messageSchemas.laserScan.name, 'scan'],
  [messageSchemas.pointCloud.name, 'cloud'],
  [messageSchemas.imu.name, 'imu'],
]);

/** A source of messages that works while there is a connection. */
interface Source {
  want(): () => void;
  close(): Promise<void>;
}

/** Publishes scanners through a rosbridge server. */
export class RosbridgeBridge {
  readonly #options: RosbridgeBridgeOptions;
  readonly #topics: readonly StreamTopic[];
  readonly #connection: RosbridgeConnection;
  readonly #sources: readonly Source[];
  #endSources: readonly (() => void)[] = [];

  constructor(options: RosbridgeBridgeOptions) {
    this.#options = options;
    this.#topics = streamTopics.filter(({ schema }) => {
      const word = wordOf.get(schema.name);
      return word !== undefined && options.publish.includes(word);
    });
    this.#connection = new RosbridgeConnection({
      url: options.url,
      topics: this.#advertised(),
      onLine: options.onLine,
      onConnected: (isConnected) => {
        for (const end of this.#endSources) end();
        this.#endSources = isConnected ? this.#sources.map((source) => source.want()) : [];
      },
    });
    this.#sources = options.scanners.flatMap((scanner) => [
      ...(this.#topics.length > 0 ? [this.#streamsOf(scanner)] : []),
      ...(this.#publishesTransforms ? [this.#poseOf(scanner)] : []),
    ]);
  }

  /** Number of messages that the server was too slow for. */
  get dropped(): number {
    return this.#connection.dropped;
  }

  /** Publishes until the signal is aborted. Settings of scanners are as before when it resolves. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#connection.run(signal);
    await Promise.all(this.#sources.map((source) => source.close()));
  }

  get #publishesTransforms(): boolean {
    return this.#options.publish.includes('tf');
  }

  #advertised(): readonly AdvertisedTopic[] {
    const { scanners, ros } = this.#options;
    return [
      ...scanners.flatMap(({ name }) =>
        this.#topics.map((topic) => ({
          topic: topicOf(name, topic.name),
          type: typeName(topic.schema, ros),
          latch: false,
        })),
      ),
      ...(this.#publishesTransforms
        ? [{ topic: transformTopic, type: typeName(messageSchemas.transforms, ros), latch: true }]
        : []),
    ];
  }

  #streamsOf(scanner: BridgedScanner): Source {
    const { ros, onLine } = this.#options;
    const decoders = new Map(this.#topics.map((topic) => [topic, jsonOf(topic.schema, ros)]));
    const streams = new ScannerStreams({
      scanner,
      onMessage: ({ topic, data }) =>
        this.#connection.publish(topicOf(scanner.name, topic.name), decoders.get(topic)?.(data)),
      onState: (stream, failure) => {
        if (failure !== undefined) onLine(`${scanner.title}: no ${stream} data arrives: ${failure}`);
      },
    });
    return {
      want: () => {
        const ends = this.#topics.map((topic) => streams.want(topic));
        return () => {
          for (const end of ends) end();
        };
      },
      close: () => streams.close(),
    };
  }

  #poseOf(scanner: BridgedScanner): Source {
    const { ros, onLine } = this.#options;
    const decode = jsonOf(messageSchemas.transforms, ros);
    return poseWhileWanted(
      scanner,
      (message) => this.#connection.publish(transformTopic, decode(message)),
      (failure) => {
        if (failure !== undefined) onLine(`${scanner.title}: its pose cannot be read: ${failure}`);
      },
    );
  }
}
