import type { Device } from '@azimuth/device';
import type { WheelOdometry } from '@azimuth/device/control';
import { nameOf } from '@azimuth/device/ros2';
import { encodeClock, encodeOdometry, encodeTransforms } from '@azimuth/telegrams/ros2';
import { odometryInterval } from './limits.js';
import { announceNode, joinDomain, type NodeOptions } from './node.js';
import type { Participant } from './participant.js';
import { odometryTopics } from './topics.js';
import type { Writer } from './writer.js';

/** Frames of REP 105: where the vehicle began, and its middle. */
const odometryFrame = 'odom';
const vehicleFrame = 'base_link';

/**
 * The vehicle of a simulated scanner as a node of ROS 2, from `join` until `close`: /odom, the transform from odom to
 * base_link, and /clock. All have the time of telegrams, which scans have, too.
 */
export class OdometryNode {
  readonly #device: Device;
  readonly #odometry: () => WheelOdometry | undefined;
  readonly #participant: Participant;
  readonly #writers: Readonly<Record<keyof typeof odometryTopics, Writer>>;
  #cancel: (() => void) | undefined;

  private constructor(device: Device, odometry: () => WheelOdometry | undefined, participant: Participant) {
    this.#device = device;
    this.#odometry = odometry;
    this.#participant = participant;
    this.#writers = {
      nodes: participant.publish(odometryTopics.nodes),
      odometry: participant.publish(odometryTopics.odometry),
      transforms: participant.publish(odometryTopics.transforms),
      clock: participant.publish(odometryTopics.clock),
    };
  }

  /** Joins a domain. Rejects if no port can be opened. */
  static async join(
    options: NodeOptions,
    { domain }: { readonly domain: number },
    odometry: () => WheelOdometry | undefined,
  ): Promise<OdometryNode> {
    const participant = await joinDomain(options, {
      words: 'the odometry of the vehicle',
      domain,
      namespace: '',
      topics: Object.values(odometryTopics).map(({ topic }) => topic),
      changed: () => undefined,
    });
    const node = new OdometryNode(options.device, odometry, participant);
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

  /** There is nothing to apply. */
  follow(): void {}

  /** Leaves the domain. */
  close(): void {
    this.#cancel?.();
    this.#participant.close();
  }

  #begin(): void {
    const { nodes, odometry, transforms, clock } = this.#writers;
    const name = nameOf(`vehicle_of_scanner_${this.#device.identity.serialNumber}`);
    announceNode(this.#participant, nodes, { namespace: '', name }, [odometry, transforms, clock]);
    this.#participant.begin();
    this.#publishInTime();
  }

  #publishInTime(): void {
    this.#cancel = this.#device.clock.after(odometryInterval, () => {
      this.#publishInTime();
      this.#publish();
    });
  }

  /** Publishes the topics that are read. */
  #publish(): void {
    const { odometry, transforms, clock } = this.#writers;
    const { measuring, telegramTime } = this.#device.features;
    const now = measuring.microseconds();
    const stamp = Math.round(now) + telegramTime.offsetAt(now);
    if (clock.isRead) clock.write(encodeClock(stamp));
    if (!odometry.isRead && !transforms.isRead) return;
    const present = this.#odometry();
    if (present === undefined) return;
    const { x, y, heading } = present;
    const header = { stamp, frameId: odometryFrame, childFrameId: vehicleFrame };
    if (odometry.isRead) odometry.write(encodeOdometry({ ...header, ...present }));
    if (!transforms.isRead) return;
    const rotation = [Math.cos(heading / 2), 0, 0, Math.sin(heading / 2)] as const;
    transforms.write(encodeTransforms([{ ...header, translation: [x, y, 0], rotation }]));
  }
}
