import { type Frame, FrameAssembly } from '@azimuth/client';
import { echoesPerBeam } from '@azimuth/device';
import { frameOf, namespaceOf, topicNames, topicParts, transformTopics } from '@azimuth/device/ros2';
import { measurementDataOutput } from '@azimuth/model';
import type { Telegram } from '@azimuth/telegrams';
import {
  imuOf,
  laserScanOf,
  type MessageSchema,
  messageEncoding,
  messageSchemas,
  multiEchoLaserScanOf,
  pointCloudOf,
  type SensorPosition,
  stampOfFrame,
  stampOfTelegram,
  transformsOf,
  unmoved,
} from '../messages/index.js';
import { type ChannelFacts, type ChannelId, McapRecording } from './mcap-recording.js';
import { latchedProfiles, sensorProfiles } from './quality-of-service.js';

/** Topic and encoding of the received telegrams, byte by byte. Other recordings are made of them. */
export const telegramChannel = { topic: '/azimuth/telegrams', encoding: 'x-azimuth-telegram' } as const;

/** Topic of the events of a scanner, as JSON. */
export const eventTopic = '/azimuth/events';

/** Names of the metadata of a recording. */
export const metadataNames = { recording: 'azimuth.recording', parameters: 'azimuth.parameters' } as const;

const { rosFrameId, rosParentFrameId } = measurementDataOutput.members;

/** Names of a scanner in a recording, as in ROS 2. */
export interface RecordedNames {
  readonly namespace: string;
  readonly frame: string;
  readonly parentFrame: string;
}

/** Names of a scanner that nobody has asked: as they leave the factory. */
export const factoryNames: RecordedNames = {
  namespace: '',
  frame: rosFrameId.type.initial,
  parentFrame: rosParentFrameId.type.initial,
};

export interface ScannerRecordingOptions {
  /** The program that writes: `azimuth 1.2.3`. */
  readonly library: string;
  /** Facts about the recording, as in an Azimuth recording. */
  readonly facts?: Readonly<Record<string, string>> | undefined;
  readonly names?: RecordedNames | undefined;
  readonly position?: SensorPosition | undefined;
  /** Variables of the scanner and their values. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

/** A telegram as it was received. */
export interface RecordedTelegram {
  /** Undefined if it cannot be decoded: then only its bytes are recorded. */
  readonly telegram: Telegram | undefined;
  /** Time of reception: µs since 1970. */
  readonly time: number;
  readonly bytes: Uint8Array;
  /** Sender and receiver: `192.168.0.1:2115`; undefined if they are not known. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Most paths of telegrams that get a channel of their own. The addresses of further ones are not recorded. */
const mostPaths = 1024;
/** Most senders of scans whose times of reception are kept. */
const mostSenders = 1024;
/** Most scanners whose messages are made. Telegrams of further ones are recorded as bytes only. */
const mostScanners = 64;

/**
 * Writes what a scanner sends as a file of MCAP: each telegram as it came, and made of them the messages of ROS 2 with the
 * topics and frames of native ROS 2. If there are several scanners, those after the first have topics and frames with their
 * serial number.
 */
export class ScannerRecording {
  readonly #mcap: McapRecording;
  readonly #options: ScannerRecordingOptions;
  readonly #assembly = new FrameAssembly();
  readonly #channels = new Map<string, ChannelId>();
  readonly #scanners = new Map<number | undefined, ScannerTopics>();
  readonly #paths = new Set<string>();
  /** Times at which the last telegrams of each sender were received. */
  readonly #received = new Map<string, number>();
  /** Time at which the last telegram was received. */
  #last = 0;

  /** @param write gets the bytes of the file */
  constructor(write: (bytes: Uint8Array) => void, options: ScannerRecordingOptions) {
    this.#options = options;
    this.#mcap = McapRecording.open(write, { profile: 'ros2', library: options.library });
    if (options.facts !== undefined) this.#mcap.addMetadata(metadataNames.recording, options.facts);
    if (options.parameters !== undefined) {
      const values = Object.entries(options.parameters).map(([name, value]) => [name, JSON.stringify(value)]);
      this.#mcap.addMetadata(metadataNames.parameters, Object.fromEntries(values));
    }
  }

  /** Adds a telegram, and the messages that follow from it. */
  add(received: RecordedTelegram): void {
    const { telegram, time, bytes, from = '', to = '' } = received;
    this.#last = time;
    this.#mcap.append(this.#channelOfPath(from, to), { logTime: time, publishTime: time, data: bytes });
    if (telegram?.kind === 'imu') this.#addMotion(telegram, time);
    if (telegram?.kind === 'scan') this.#addScan(telegram, time, from);
  }

  /** Adds an event of the scanner. @param time of reception: µs since 1970 */
  addEvent(time: number, event: { readonly name: string; readonly value: unknown }): void {
    const data = new TextEncoder().encode(JSON.stringify(event));
    const channel = this.#channelOf(eventTopic, { topic: eventTopic, encoding: 'json', schema: eventSchema });
    this.#mcap.append(channel, { logTime: time, publishTime: time, data });
  }

  /** Writes what waits, so that a cut loses nothing up to here. */
  flush(): void {
    this.#mcap.flush();
  }

  /** Adds scans that have begun, and ends the file. */
  end(): void {
    for (const frame of this.#assembly.flush()) this.#addFrame(frame, this.#last);
    this.#mcap.end();
  }

  #addScan({ telegram }: Telegram & { kind: 'scan' }, time: number, from: string): void {
    const [module] = telegram.modules;
    const sender = `${from} ${module?.sender}`;
    const before = this.#received.get(sender) ?? time;
    if (this.#received.size < mostSenders || this.#received.has(sender)) this.#received.set(sender, time);
    for (const frame of this.#assembly.push(telegram, from)) {
      // A frame that the next one ends was received with the telegram before this one.
      this.#addFrame(frame, frame.number === module?.frameNumber ? time : before);
    }
  }

  #addFrame(frame: Frame, received: number): void {
    const topics = this.#scannerOf(frame.sender, received);
    if (topics === undefined) return;
    const { frameId, prefix } = topics;
    const header = { stamp: stampOfFrame(frame, received), frameId };
    const add = (name: string, schema: MessageSchema, data: Uint8Array) =>
      this.#addMessage(`${prefix}/${name}`, schema, received, header.stamp, data);
    const { all } = topicParts;
    add(topicNames.multiEcho(all), messageSchemas.multiEchoLaserScan, multiEchoLaserScanOf(frame, header));
    for (let echo = 0; echo < Math.min(frame.echoes, echoesPerBeam); echo++) {
      add(topicNames.laserScan(all, echo), messageSchemas.laserScan, laserScanOf(frame, echo, header));
    }
    add(topicNames.cloud(all), messageSchemas.pointCloud, pointCloudOf(frame, header));
  }

  #addMotion({ telegram }: Telegram & { kind: 'imu' }, time: number): void {
    // A telegram of motion has no serial number.
    const topics = this.#scannerOf(undefined, time);
    if (topics === undefined) return;
    const header = { stamp: stampOfTelegram(telegram.time, time), frameId: topics.frameId };
    const topic = `${topics.prefix}/${topicNames.motion}`;
    this.#addMessage(topic, messageSchemas.imu, time, header.stamp, imuOf(telegram, header));
  }

  /** Returns the channel of telegrams between two addresses. Anybody can send from any number of them. */
  #channelOfPath(from: string, to: string): ChannelId {
    const path = `${from} ${to}`;
    if (!this.#paths.has(path) && this.#paths.size >= mostPaths)
      return this.#channelOf('telegrams', telegramChannel);
    this.#paths.add(path);
    const metadata = from === '' ? undefined : { from, to };
    return this.#channelOf(`telegrams ${path}`, { ...telegramChannel, metadata });
  }

  #addMessage(
    topic: string,
    schema: MessageSchema,
    logTime: number,
    publishTime: number,
    data: Uint8Array,
  ): void {
    const metadata = { offered_qos_profiles: sensorProfiles, topic_type_hash: schema.hash };
    const channel = this.#channelOf(topic, { topic, encoding: messageEncoding, schema, metadata });
    this.#mcap.append(channel, { logTime, publishTime, data });
  }

  /** Returns the topics of a scanner. The first one that is met, or that sends motion, has those of the options. */
  #scannerOf(sender: number | undefined, time: number): ScannerTopics | undefined {
    const known = this.#scanners.get(sender);
    if (known !== undefined) return known;
    const [first] = this.#scanners.values();
    const numbered = [...this.#scanners.keys()].filter((serial) => serial !== undefined);
    if (numbered.length >= mostScanners) return undefined;
    const { namespace, frame } = this.#options.names ?? factoryNames;
    const suffix = numbered.length === 0 || sender === undefined ? '' : `_${sender}`;
    const topics = {
      prefix: suffix === '' ? namespaceOf(namespace) : namespaceOf(`${namespace}/scanner${suffix}`),
      frameId: suffix === '' ? frameOf(frame) : `${frameOf(frame).replace(/_+$/, '')}${suffix}`,
    };
    this.#scanners.set(sender, topics);
    if (first === undefined) this.#addTransform(topics.frameId, time);
    return topics;
  }

  /** Adds the pose of the first scanner. Those of others are not known. */
  #addTransform(childFrameId: string, time: number): void {
    const { names = factoryNames, position = unmoved } = this.#options;
    const parentFrame = frameOf(names.parentFrame);
    if (parentFrame === '' || childFrameId === '' || parentFrame === childFrameId) return;
    const data = transformsOf(position, { stamp: time, frameId: parentFrame }, childFrameId);
    const topic = `/${transformTopics.fixed}`;
    const schema = messageSchemas.transforms;
    const metadata = { offered_qos_profiles: latchedProfiles, topic_type_hash: schema.hash };
    const channel = this.#channelOf(topic, { topic, encoding: messageEncoding, schema, metadata });
    this.#mcap.append(channel, { logTime: time, publishTime: time, data });
  }

  #channelOf(key: string, facts: ChannelFacts): ChannelId {
    const known = this.#channels.get(key);
    if (known !== undefined) return known;
    const id = this.#mcap.addChannel(facts);
    this.#channels.set(key, id);
    return id;
  }
}

/** Topics and frame of one scanner. */
interface ScannerTopics {
  /** Namespace in front of its topics. */
  readonly prefix: string;
  readonly frameId: string;
}

const eventSchema = {
  name: 'azimuth.Event',
  encoding: 'jsonschema',
  definition: JSON.stringify({
    title: 'Event of a scanner',
    type: 'object',
    properties: { name: { type: 'string' }, value: {} },
    required: ['name', 'value'],
  }),
} as const;
