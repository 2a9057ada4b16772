import type { Device, ImuReading, Scan } from '@azimuth/device';
import {
  echoesOf,
  passesInterval,
  type Ros2Settings,
  ros2SettingsOf,
  scanContentFollows,
  scanContentOf,
} from '@azimuth/device/ros2';
import { dataReduction, type Variable } from '@azimuth/model';
import {
  encodeImuMessage,
  encodeParticipantEntities,
  encodeTransforms,
  type Header,
  humbleGuidBytes,
  imuBytes,
} from '@azimuth/telegrams/ros2';
import { entityId, type Guid } from '@azimuth/telegrams/rtps';
import { frameOf, nameOf, namespaceOf } from './names.js';
import type { RosNetwork } from './network.js';
import { Participant, type TopicFacts } from './participant.js';
import { ScanMessages } from './scan-messages.js';
import { type ScannerTopics, topicNames, topicsIn } from './topics.js';
import type { Writer } from './writer.js';

/** Counts what happens on the network. */
export interface RosCounts {
  /** A message was handed to the network for one peer. */
  sent(bytes: number): void;
  /** A datagram or, without an error, a message was lost. */
  failed(error?: Error): void;
  /** A message was sent again, because a reader lacked it. */
  repaired(): void;
  /** A datagram was not understood. */
  ignored(): void;
}

interface Options {
  readonly device: Device;
  readonly network: RosNetwork;
  readonly counts: RosCounts;
}

const { LFPintervalFilter } = dataReduction.members;

/**
 * The scanner as a node of ROS 2, from `join` until `close`. It measures only while another program reads a topic of
 * scans, and makes only the messages that are read.
 */
export class ScannerNode {
  readonly #device: Device;
  readonly #participant: Participant;
  readonly #topics: ScannerTopics;
  /** The topics that are published, by their names in DDS. */
  readonly #writers = new Map<string, Writer>();
  readonly #namespace: string;
  #settings: Ros2Settings;
  #messages: ScanMessages | undefined;
  /** The geometry of `#messages`. */
  #geometry: object | undefined;
  #stopScans: (() => void) | undefined;
  #stopImu: (() => void) | undefined;
  readonly #unsubscribe: () => void;

  private constructor(device: Device, settings: Ros2Settings, participant: Participant) {
    this.#device = device;
    this.#settings = settings;
    this.#participant = participant;
    this.#namespace = namespaceOf(settings.namespace);
    this.#topics = topicsIn(this.#namespace);
    const content: readonly Variable<unknown>[] = scanContentFollows;
    this.#unsubscribe = device.announcements.subscribeTo(content, () => {
      this.#geometry = undefined;
      this.#publishTopics();
    });
  }

  /** Joins the domain of the settings. Rejects if no port can be opened. */
  static async join({ device, network, counts }: Options, settings: Ros2Settings): Promise<ScannerNode> {
    const { clock, errors, host } = device;
    let node: ScannerNode | undefined;
    const participant = await Participant.open({
      domain: settings.domain,
      network,
      topics: topicNames(topicsIn(namespaceOf(settings.namespace))),
      clock,
      log: host.log,
      ...counts,
      changed: () => {
        if (node !== undefined) node.#settle();
      },
      broken: (error) => errors.report('streams', error),
    });
    node = new ScannerNode(device, settings, participant);
    node.#begin();
    host.log.info('ROS 2: the scanner has joined the domain', {
      domain: settings.domain,
      namespace: node.#namespace || '/',
      port: participant.port,
      multicast: participant.hearsMulticast,
    });
    if (!participant.hearsMulticast) {
      host.log.warn(
        'ROS 2: no network interface has multicast; programs must have the address of the scanner as a peer',
      );
    }
    return node;
  }

  /** The number of participants of other programs that are known. */
  get peers(): number {
    return this.#participant.peers;
  }

  /** The number of readers of the topics. */
  get readers(): number {
    return this.#participant.readers;
  }

  #begin(): void {
    this.#publishTopics();
    this.#publishTransform();
    this.#participant.begin();
  }

  /** Applies settings for which it need not leave: frames, position, IMU. */
  follow(): void {
    const settings = ros2SettingsOf(this.#device.parameters);
    if (settings === undefined) return;
    const before = this.#settings;
    this.#settings = settings;
    if (before.hasImu !== settings.hasImu) this.#publishTopics();
    if (transformKey(before) !== transformKey(settings)) this.#publishTransform();
  }

  /** Leaves the domain. */
  close(): void {
    this.#unsubscribe();
    this.#stopScans?.();
    this.#stopImu?.();
    this.#stopScans = undefined;
    this.#stopImu = undefined;
    this.#participant.close();
  }

  /** Measures while somebody reads. */
  #settle(): void {
    const { measuring, imu } = this.#device;
    const { echoes, multiEcho, cloud, imu: imuTopic } = this.#topics;
    const hasReaders = (topics: readonly TopicFacts[]) =>
      topics.some(({ topic }) => this.#writers.get(topic)?.isRead === true);
    const wantsScans = hasReaders([...echoes, multiEcho, cloud]);
    if (wantsScans && this.#stopScans === undefined) {
      this.#stopScans = measuring.watch({ scan: (scan) => this.#publishScan(scan) });
    } else if (!wantsScans) {
      this.#stopScans?.();
      this.#stopScans = undefined;
    }
    const wantsImu = hasReaders([imuTopic]);
    if (wantsImu && this.#stopImu === undefined) {
      this.#stopImu = imu.watch((reading) => this.#publishImu(reading));
    } else if (!wantsImu) {
      this.#stopImu?.();
      this.#stopImu = undefined;
    }
  }

  /** Publishes exactly the topics that there are according to the settings. */
  #publishTopics(): void {
    const { echoes, multiEcho, cloud, imu, transforms, nodes } = this.#topics;
    const count = echoesOf(this.#device.parameters);
    const wanted = [nodes, transforms, ...echoes.slice(0, count), multiEcho, cloud];
    if (this.#settings.hasImu) wanted.push(imu);
    let hasChanged = false;
    for (const [topic, writer] of this.#writers) {
      if (wanted.some((other) => other.topic === topic)) continue;
      this.#participant.withdraw(writer);
      this.#writers.delete(topic);
      hasChanged = true;
    }
    for (const facts of wanted) {
      if (this.#writers.has(facts.topic)) continue;
      this.#writers.set(facts.topic, this.#participant.publish(facts));
      hasChanged = true;
    }
    if (hasChanged) this.#publishNode();
    this.#settle();
  }

  /** Tells tools which node there is, and what it publishes. */
  #publishNode(): void {
    const { nodes } = this.#topics;
    const writers: Guid[] = [...this.#writers.entries()]
      .filter(([topic]) => topic !== nodes.topic)
      .map(([, { id }]) => ({ prefix: this.#participant.guid.prefix, entity: id }));
    const node = {
      namespace: this.#namespace || '/',
      name: nameOf(`scanner_${this.#device.identity.serialNumber}`),
      readers: [],
      writers,
    };
    const { prefix } = this.#participant.guid;
    const participant = { prefix, entity: entityId.participant };
    const entities = { participant, nodes: [node] };
    const older = encodeParticipantEntities(entities, humbleGuidBytes);
    this.#writers.get(nodes.topic)?.write(encodeParticipantEntities(entities), { older });
  }

  /** Where the scanner is in its parent frame. Frames without a name, or of the same name, have no transform. */
  #publishTransform(): void {
    const { frame, parentFrame, translation, rotation } = this.#settings;
    const [frameId, childFrameId] = [frameOf(parentFrame), frameOf(frame)];
    const writer = this.#writers.get(this.#topics.transforms.topic);
    if (frameId === '' || childFrameId === '' || frameId === childFrameId) {
      // Nothing takes the place of a transform that later readers would get.
      if (writer !== undefined && writer.history.last > 0) writer.write(encodeTransforms([]));
      return;
    }
    const now = this.#device.measuring.microseconds();
    const transform = { ...this.#header(now, now), frameId, childFrameId, translation, rotation };
    writer?.write(encodeTransforms([transform]));
  }

  /** @param time when it was measured @param offsetTime the time whose offset applies; both in µs of the scanner */
  #header(time: number, offsetTime: number): Header {
    const stamp = Math.round(time) + this.#device.telegramTime.offsetAt(offsetTime);
    return { stamp, frameId: frameOf(this.#settings.frame) };
  }

  #publishScan(scan: Scan): void {
    if (!passesInterval(this.#device.read(LFPintervalFilter), scan.number)) return;
    const messages = this.#messagesOf(scan);
    if (messages.beams === 0) return;
    // The offset at the middle of the scan, as in telegrams.
    const middle = scan.time + 500_000 / scan.geometry.frequency;
    const header = this.#header(scan.time + messages.firstBeamAfter, middle);
    const { echoes, multiEcho, cloud } = this.#topics;
    for (const [echo, topic] of echoes.entries()) {
      this.#write(topic, (buffer) => messages.laserScan(scan, echo, header, buffer));
    }
    this.#write(multiEcho, (buffer) => messages.multiEcho(scan, header, buffer));
    this.#write(cloud, (buffer) => messages.pointCloud(scan, header, buffer));
  }

  #publishImu({ motion, time }: ImuReading): void {
    const message = { ...this.#header(time, time), ...motion };
    this.#write(this.#topics.imu, (buffer) => encodeImuMessage(message, buffer(imuBytes(message))));
  }

  /** Makes and writes a message if somebody reads the topic. */
  #write({ topic }: TopicFacts, encode: (buffer: (bytes: number) => Uint8Array) => Uint8Array): void {
    const writer = this.#writers.get(topic);
    if (writer === undefined || !writer.isRead) return;
    writer.write(encode((bytes) => writer.buffer(bytes)));
  }

  #messagesOf({ geometry }: Scan): ScanMessages {
    if (this.#messages === undefined || this.#geometry !== geometry) {
      this.#messages = new ScanMessages(scanContentOf(this.#device.parameters, geometry));
      this.#geometry = geometry;
    }
    return this.#messages;
  }
}

function transformKey({ frame, parentFrame, translation, rotation }: Ros2Settings): string {
  return JSON.stringify([frame, parentFrame, translation, rotation]);
}
