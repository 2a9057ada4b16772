import type { Device, Scan, ScanGeometry } from '@azimuth/device';
import { sameGeometry } from '@azimuth/device/cores';
import type { OutputSegment } from '@azimuth/device/network-interface';
import {
  frameOf,
  nameOf,
  namespaceOf,
  passesInterval,
  type Ros2Settings,
  ros2SettingsOf,
  type ScanContent,
  scanContentOf,
  scanContentVariables,
} from '@azimuth/device/ros2';
import { dataReduction, type Variable } from '@azimuth/model';
import { encodeTransforms, type Header } from '@azimuth/telegrams/ros2';
import { announceNode, joinDomain, type NodeOptions } from './node.js';
import type { Participant, TopicFacts } from './participant.js';
import { ScanMessages } from './scan-messages.js';
import { isIn, type ScannerTopics, type ScanTopic, topicNames, topicsIn } from './topics.js';
import type { Writer } from './writer.js';

const { LFPintervalFilter } = dataReduction.members;

/** Encoders of scans with this content. */
interface Messages {
  readonly content: ScanContent;
  readonly scan: ScanMessages;
  readonly segments: readonly ScanMessages[];
}

/** Transform of points that SensorPosition has already moved. */
const unmoved = { translation: [0, 0, 0], rotation: [1, 0, 0, 0] } as const;

/**
 * The scanner as a node of ROS 2, from `join` until `close`. It measures only while another program reads a topic of
 * scans, and makes only the messages that are read.
 */
export class ScannerNode {
  readonly #device: Device;
  readonly #participant: Participant;
  readonly #topics: ScannerTopics;
  /** Published topics, by their names in DDS. */
  readonly #writers = new Map<string, Writer>();
  readonly #namespace: string;
  #settings: Ros2Settings;
  #messages: Messages;
  #stopScans: (() => void) | undefined;
  #stopSegments: (() => void) | undefined;
  readonly #unsubscribe: () => void;

  private constructor(device: Device, settings: Ros2Settings, participant: Participant) {
    this.#device = device;
    this.#settings = settings;
    this.#participant = participant;
    this.#namespace = namespaceOf(settings.namespace);
    this.#topics = topicsIn(this.#namespace);
    this.#messages = messagesOf(scanContentOf(device.parameters));
    const follows: readonly Variable<unknown>[] = scanContentVariables;
    this.#unsubscribe = device.announcements.subscribeTo(follows, () => this.#renewMessages());
  }

  /** Joins the domain of the settings. Rejects if no port can be opened. */
  static async join(options: NodeOptions, settings: Ros2Settings): Promise<ScannerNode> {
    const namespace = namespaceOf(settings.namespace);
    let node: ScannerNode | undefined;
    const participant = await joinDomain(options, {
      ...{ words: 'the scanner', domain: settings.domain, namespace },
      topics: topicNames(topicsIn(namespace)),
      changed: () => {
        if (node !== undefined) node.#updateMeasuring();
      },
    });
    node = new ScannerNode(options.device, settings, participant);
    node.#begin();
    return node;
  }

  /** Number of participants of other programs that are known. */
  get peers(): number {
    return this.#participant.peers;
  }

  /** Number of readers of the topics. */
  get readers(): number {
    return this.#participant.readers;
  }

  #begin(): void {
    this.#publishTopics();
    this.#publishTransform();
    this.#participant.begin();
  }

  /** Applies settings that do not require leaving the domain: frames. */
  follow(): void {
    const settings = ros2SettingsOf(this.#device.parameters);
    if (settings === undefined) return;
    const { frame, parentFrame } = this.#settings;
    this.#settings = settings;
    if (settings.frame !== frame || settings.parentFrame !== parentFrame) this.#publishTransform();
  }

  /** Leaves the domain. */
  close(): void {
    this.#unsubscribe();
    this.#stopScans?.();
    this.#stopSegments?.();
    this.#stopScans = undefined;
    this.#stopSegments = undefined;
    this.#participant.close();
  }

  /** Measures while there is a reader. */
  #updateMeasuring(): void {
    const { measuring } = this.#device.features;
    const isRead = (isOfSegment: boolean) =>
      this.#topics.scans.some(
        ({ topic, segment }) =>
          (segment !== undefined) === isOfSegment && this.#writers.get(topic)?.isRead === true,
      );
    this.#stopScans = toggled(this.#stopScans, isRead(false), () =>
      measuring.watch({ scan: (scan) => this.#publishScan(scan) }),
    );
    this.#stopSegments = toggled(this.#stopSegments, isRead(true), () =>
      measuring.watch({ segment: (segment) => this.#publishSegment(segment) }),
    );
  }

  /** Publishes exactly the topics that exist according to the settings. */
  #publishTopics(): void {
    const { scans, transforms, nodes } = this.#topics;
    const published = [nodes, transforms, ...scans.filter((topic) => isIn(topic, this.#messages.content))];
    const names = new Set(published.map(({ topic }) => topic));
    let hasChanged = false;
    for (const [topic, writer] of this.#writers) {
      if (names.has(topic)) continue;
      this.#participant.withdraw(writer);
      this.#writers.delete(topic);
      hasChanged = true;
    }
    for (const facts of published) {
      if (this.#writers.has(facts.topic)) continue;
      this.#writers.set(facts.topic, this.#participant.publish(facts));
      hasChanged = true;
    }
    if (hasChanged) this.#publishNode();
    this.#updateMeasuring();
  }

  /** Announces the node and its topics, for tools. */
  #publishNode(): void {
    const list = this.#writers.get(this.#topics.nodes.topic);
    if (list === undefined) return;
    const name = nameOf(`scanner_${this.#device.identity.serialNumber}`);
    const writers = [...this.#writers.values()].filter((writer) => writer !== list);
    announceNode(this.#participant, list, { namespace: this.#namespace, name }, writers);
  }

  /** Publishes the frames. Frames without a name, or with equal names, have no transform. */
  #publishTransform(): void {
    const { frame, parentFrame } = this.#settings;
    const [frameId, childFrameId] = [frameOf(parentFrame), frameOf(frame)];
    const writer = this.#writers.get(this.#topics.transforms.topic);
    if (frameId === '' || childFrameId === '' || frameId === childFrameId) {
      // Without a transform, nothing is published that later readers would get.
      if (writer !== undefined && writer.history.last > 0) writer.write(encodeTransforms([]));
      return;
    }
    const { measuring, telegramTime } = this.#device.features;
    const now = measuring.microseconds();
    const header = this.#header(Math.round(now) + telegramTime.stampOffsetAt(now));
    writer?.write(encodeTransforms([{ ...header, frameId, childFrameId, ...unmoved }]));
  }

  /** Makes a header. @param stamp in whole µs, as in telegrams */
  #header(stamp: number): Header {
    return { stamp, frameId: frameOf(this.#settings.frame) };
  }

  #publishScan(scan: Scan): void {
    if (!passesInterval(this.#device.read(LFPintervalFilter), scan.number)) return;
    const { scan: messages } = this.#messagesOf(scan);
    this.#publishPart(scan, messages, undefined);
  }

  #publishSegment({ frame, index }: OutputSegment): void {
    const scan = this.#device.features.measuring.presentScan;
    if (scan === undefined || scan.number !== frame) return;
    const messages = this.#messagesOf(scan).segments[index];
    if (messages !== undefined) this.#publishPart(scan, messages, index);
  }

  /** Publishes the topics about a segment, or about complete scans. All messages of a scan have the same stamp. */
  #publishPart(scan: Scan, messages: ScanMessages, part: number | undefined): void {
    const { offset, scanError } = this.#device.features.telegramTime.stampsOf(scan);
    const firstBeam = Math.round(scan.time + this.#messages.scan.firstBeamAfter);
    const header = this.#header(firstBeam + offset + scanError);
    for (const topic of this.#topics.scans) {
      if (topic.segment !== part) continue;
      this.#write(topic, (buffer) => encoded(messages, topic, scan, header, buffer));
    }
  }

  /** Makes and writes a message if the topic has a reader. */
  #write({ topic }: TopicFacts, encode: (buffer: (bytes: number) => Uint8Array) => Uint8Array): void {
    const writer = this.#writers.get(topic);
    if (writer === undefined || !writer.isRead) return;
    writer.write(encode((bytes) => writer.buffer(bytes)));
  }

  /** The geometry of another measuring core may differ from that of the profile. */
  #messagesOf({ geometry }: Scan): Messages {
    if (!sameGeometry(geometry, this.#messages.content.geometry)) this.#renewMessages(geometry);
    return this.#messages;
  }

  #renewMessages(geometry?: ScanGeometry): void {
    this.#messages = messagesOf(scanContentOf(this.#device.parameters, geometry));
    this.#publishTopics();
  }
}

function messagesOf(content: ScanContent): Messages {
  const segments = content.segments.map((segment) => new ScanMessages(content, segment));
  return { content, scan: new ScanMessages(content), segments };
}

/** Starts or stops something. @param stop function that stops it; undefined while it is off */
function toggled(
  stop: (() => void) | undefined,
  isOn: boolean,
  start: () => () => void,
): (() => void) | undefined {
  if (isOn) return stop ?? start();
  stop?.();
  return undefined;
}

function encoded(
  messages: ScanMessages,
  { content, echo }: ScanTopic,
  scan: Scan,
  header: Header,
  buffer: (bytes: number) => Uint8Array,
): Uint8Array {
  switch (content) {
    case 'multiEcho':
      return messages.multiEcho(scan, header, buffer);
    case 'laserScan':
      return messages.laserScan(scan, echo ?? 0, header, buffer);
    case 'points':
      return messages.pointCloud(scan, { echo }, header, buffer);
    case 'reflectors':
      return messages.pointCloud(scan, { reflectorsOnly: true }, header, buffer);
  }
}
