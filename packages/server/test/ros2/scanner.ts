import type { MeasuringCore } from '@azimuth/device';
import { freeDomain } from '@azimuth/test-support/dds-domain';
import { DdsProgram, type ReaderDescription } from '@azimuth/test-support/dds-program';
import { StreamingScanner, scan, settled } from '../streams/scanner.js';

export const laserScan = 'sensor_msgs::msg::dds_::LaserScan_';
export const scanTopic: ReaderDescription = { topic: 'rt/scan/all_points_echo0', type: laserScan };
export const cloudTopic: ReaderDescription = {
  topic: 'rt/cloud/all_points',
  type: 'sensor_msgs::msg::dds_::PointCloud2_',
};
export const transforms: ReaderDescription = {
  topic: 'rt/tf_static',
  type: 'tf2_msgs::msg::dds_::TFMessage_',
  isLatched: true,
};
/** Forms that ROS 2 Humble reads, and later releases. */
export const nodesInHumble: ReaderDescription = {
  topic: 'ros_discovery_info',
  type: 'rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_',
  isLatched: true,
};
export const nodes: ReaderDescription = {
  ...nodesInHumble,
  userData: 'typehash=RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e;',
};

/**
 * Starts a scanner that sees 2 m all around and is a node in a domain of its own, on virtual time, with real sockets.
 */
export class RosScanner {
  private constructor(
    readonly scanner: StreamingScanner,
    readonly domain: number,
  ) {}

  /** @param options the domain: by default, a free one; the core: by default, one that sees 2 m all around */
  static async start(options: { domain?: number; core?: MeasuringCore } = {}): Promise<RosScanner> {
    const domain = options.domain ?? (await freeDomain());
    const scanner = await StreamingScanner.start(options.core === undefined ? {} : { core: options.core });
    scanner.set(scan.rosDomainId, domain);
    scanner.set(scan.ScanDataFormat, 4);
    const ros = new RosScanner(scanner, domain);
    await ros.enable();
    return ros;
  }

  /** Switches scan data on, and waits until the scanner has joined the domain. */
  async enable(): Promise<void> {
    const lines = () => this.scanner.lines('info', 'ROS 2: the scanner has joined').length;
    const before = lines();
    this.scanner.set(scan.ScanDataEnable, true);
    while (lines() === before) await settled();
  }

  /** Starts a program, and waits until its readers have matched. */
  async program(
    wishes: readonly ReaderDescription[],
    change: (program: DdsProgram) => void = () => {},
  ): Promise<DdsProgram> {
    const program = await DdsProgram.open(this.domain, wishes);
    change(program);
    program.announce();
    await this.scanner.runUntil(() => program.topics.length > 0);
    return program;
  }
}
