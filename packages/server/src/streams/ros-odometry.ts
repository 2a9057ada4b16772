import type { Device } from '@azimuth/device';
import type { WheelOdometry } from '@azimuth/device/control';
import type { LinkFaults } from '@azimuth/device/faults';
import { rosDomainOf } from '@azimuth/device/ros2';
import { measurementDataOutput } from '@azimuth/model';
import type { ListeningAddress } from '../network/listening-address.js';
import type { NodeOptions } from '../ros2/node.js';
import type { Wire } from '../wire.js';
import { StreamMetrics } from './delivery.js';
import { Ros2Stream } from './ros2-stream.js';

const { rosDomainId } = measurementDataOutput.members;

interface Options {
  readonly device: Device;
  readonly address: ListeningAddress;
  /** Addresses to announce it at, beside multicast. */
  readonly peers?: readonly string[] | undefined;
  readonly link?: LinkFaults | undefined;
  readonly odometry: () => WheelOdometry | undefined;
}

/**
 * The odometry of the vehicle of a simulated scanner in ROS 2, in the domain of the scanner. The vehicle has its own
 * computer, so it stays there while the scanner reboots.
 */
export class RosOdometry implements Wire {
  readonly #stream: Ros2Stream<{ readonly domain: number; readonly namespace: string }>;
  #isOpen = false;

  constructor({ device, address, peers = [], link, odometry }: Options) {
    const role = {
      words: 'the odometry of the vehicle',
      settings: () => ({ domain: rosDomainOf(device.parameters), namespace: '' }),
      join: async (options: NodeOptions, settings: { readonly domain: number }) => {
        const { OdometryNode } = await import('../ros2/odometry-node.js');
        return OdometryNode.join(options, settings, odometry);
      },
    };
    this.#stream = new Ros2Stream({ role, device, address, peers, link, metrics: new StreamMetrics() });
    const follow = () =>
      device.errors.contain('streams', () => {
        if (this.#isOpen) this.#stream.follow();
      });
    device.announcements.subscribeTo([rosDomainId], follow);
    address.onChange(follow);
  }

  open(): void {
    this.#isOpen = true;
    this.#stream.follow();
  }

  close(): void {
    this.#isOpen = false;
    this.#stream.close();
  }
}
