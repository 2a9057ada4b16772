import type { Device } from '@azimuth/device';
import { DeviceStatus, loginLevels, PtpState, status } from '@azimuth/model';
import type { DataStreams } from '../streams/data-streams.js';
import { type StreamMetrics, streamNames } from '../streams/delivery.js';
import type { EventCounts, Traffic } from '../traffic/traffic.js';
import type { Family, Sample } from './family.js';
import { type LegacyCounts, ofLegacy } from './legacy-families.js';

const ptpStates = Object.entries(PtpState)
  .map(([name, value]) => `${value} ${name}`)
  .join(', ');

/** The metrics of data streams. */
export type StreamCounts = Pick<DataStreams, 'metrics' | 'clients' | 'blockedBy' | 'ros2'>;

/** Sources of a scanner's metrics, besides the device itself. */
export interface Counts {
  readonly traffic: Traffic;
  readonly streams: StreamCounts;
  /** Undefined until they are opened for the first time. */
  readonly legacy: LegacyCounts | undefined;
  /** Metrics are cached for this time (ms); default 1000. */
  readonly freshFor?: number | undefined;
}

/** All metrics of a scanner. They contain no parameter values and no secrets. */
export function familiesOf(device: Device, { traffic, streams, legacy }: Counts): readonly Family[] {
  return [
    ...ofTraffic(traffic),
    ...ofEvents(traffic.events),
    {
      name: 'azimuth_live_scans_total',
      help: 'Scans for one client of live scans that were sent, or discarded because the client reads too slowly.',
      type: 'counter',
      labels: ['outcome'],
      samples: () =>
        (['sent', 'discarded'] as const).map((outcome) => ({
          labels: { outcome },
          value: traffic.liveScans[outcome],
        })),
    },
    ...ofStreams(streams),
    ...ofLegacy(legacy),
    ...ofAccess(device),
    ...ofDevice(device),
  ];
}

function ofTraffic(traffic: Traffic): readonly Family[] {
  return [
    {
      name: 'azimuth_requests_total',
      help: 'Requests to the interface, by endpoint and status of the reply (0 is Ok).',
      type: 'counter',
      labels: ['endpoint', 'status'],
      samples: () =>
        [...traffic.byEndpoint()].map(({ endpoint, status: code, count }) => ({
          labels: { endpoint, status: String(code) },
          value: count,
        })),
    },
    {
      name: 'azimuth_page_requests_total',
      help: 'Requests beside the interface, by path and HTTP status.',
      type: 'counter',
      labels: ['path', 'code'],
      samples: () =>
        [...traffic.byPage()].map(({ path, httpStatus, count }) => ({
          labels: { path, code: httpStatus },
          value: count,
        })),
    },
    {
      name: 'azimuth_turned_away_total',
      help: 'Requests refused before they were read, by reason.',
      type: 'counter',
      labels: ['reason'],
      samples: () => traffic.byRefusal.map(([reason, value]) => ({ labels: { reason }, value })),
    },
    {
      name: 'azimuth_connections',
      help: 'Open connections.',
      type: 'gauge',
      samples: () => [{ value: traffic.connections }],
    },
  ];
}

function ofEvents(events: EventCounts): readonly Family[] {
  return [
    {
      name: 'azimuth_event_connections',
      help: 'Open WebSockets for events and live scans.',
      type: 'gauge',
      samples: () => [{ value: events.connections }],
    },
    {
      name: 'azimuth_event_registrations',
      help: 'Registrations for events on all these connections.',
      type: 'gauge',
      samples: () => [{ value: events.registrations }],
    },
    {
      name: 'azimuth_event_values_total',
      help: 'Values for one receiver that were pushed, throttled by an option, or discarded because the client reads too slowly.',
      type: 'counter',
      labels: ['outcome'],
      samples: () =>
        (['pushed', 'throttled', 'discarded'] as const).map((outcome) => ({
          labels: { outcome },
          value: events[outcome],
        })),
    },
  ];
}

function ofStreams(streams: StreamCounts): readonly Family[] {
  const byStream = (count: (metrics: StreamMetrics) => number): readonly Sample[] =>
    streamNames.map((stream) => ({ labels: { stream }, value: count(streams.metrics[stream]) }));
  return [
    {
      name: 'azimuth_telegrams_total',
      help: 'Telegrams of data streams that were sent to the network, counted for each receiver.',
      type: 'counter',
      labels: ['stream'],
      samples: () => byStream(({ telegrams }) => telegrams),
    },
    {
      name: 'azimuth_telegram_bytes_total',
      help: 'Bytes of these telegrams.',
      type: 'counter',
      labels: ['stream'],
      samples: () => byStream(({ bytes }) => bytes),
    },
    {
      name: 'azimuth_telegram_errors_total',
      help: 'Telegrams of data streams that were lost, or refused by their destination, by reason.',
      type: 'counter',
      labels: ['stream', 'reason'],
      samples: () =>
        streamNames.flatMap((stream) =>
          streams.metrics[stream].losses.counts.map(([reason, value]) => ({
            labels: { stream, reason },
            value,
          })),
        ),
    },
    {
      name: 'azimuth_stream_down',
      help: 'Data streams that are on but cannot send, by reason; 1 for each.',
      type: 'gauge',
      labels: ['stream', 'reason'],
      samples: () =>
        streamNames.flatMap((stream) => {
          const reason = streams.blockedBy(stream);
          return reason === undefined ? [] : [{ labels: { stream, reason }, value: 1 }];
        }),
    },
    {
      name: 'azimuth_stream_clients',
      help: 'Clients that read data streams over TCP.',
      type: 'gauge',
      samples: () => [{ value: streams.clients }],
    },
    {
      name: 'azimuth_ros_participants',
      help: 'Participants of other programs in the ROS 2 domain of the scanner.',
      type: 'gauge',
      samples: () => [{ value: streams.ros2.peers }],
    },
    {
      name: 'azimuth_ros_readers',
      help: 'Their readers of topics of the scanner.',
      type: 'gauge',
      samples: () => [{ value: streams.ros2.readers }],
    },
    {
      name: 'azimuth_ros_repairs_total',
      help: 'ROS 2 messages that were sent again, because a reader lacked them.',
      type: 'counter',
      samples: () => [{ value: streams.ros2.repaired }],
    },
    {
      name: 'azimuth_ros_ignored_total',
      help: 'Datagrams at the ROS 2 ports that were not understood.',
      type: 'counter',
      samples: () => [{ value: streams.ros2.ignored }],
    },
  ];
}

function ofAccess({ access }: Device): readonly Family[] {
  const byLevel = (counts: Device['access']['failed'], labels = {}): readonly Sample[] =>
    loginLevels.map((level) => ({ labels: { user_level: level, ...labels }, value: counts[level] }));
  return [
    {
      name: 'azimuth_challenges_total',
      help: 'Challenges that were created, by user level.',
      type: 'counter',
      labels: ['user_level'],
      samples: () => byLevel(access.challenges),
    },
    {
      name: 'azimuth_challenges_pending',
      help: 'Challenges that wait for their POST.',
      type: 'gauge',
      samples: () => [{ value: access.pending }],
    },
    {
      name: 'azimuth_challenge_floods_total',
      help: 'How often the scanner began to refuse challenges because they were not used.',
      type: 'counter',
      samples: () => [{ value: access.floods }],
    },
    {
      name: 'azimuth_logins_total',
      help: 'Logins, by user level and result.',
      type: 'counter',
      labels: ['user_level', 'result'],
      samples: () => [
        ...byLevel(access.succeeded, { result: 'succeeded' }),
        ...byLevel(access.failed, { result: 'failed' }),
        ...byLevel(access.disabled, { result: 'disabled' }),
      ],
    },
    {
      name: 'azimuth_login_locks_total',
      help: 'How often failed logins have locked all logins.',
      type: 'counter',
      samples: () => [{ value: access.lockout.locks }],
    },
    {
      name: 'azimuth_login_locked',
      help: '1 while logins are locked.',
      type: 'gauge',
      samples: () => [{ value: access.lockout.locked ? 1 : 0 }],
    },
  ];
}

/** The values of DeviceStatus: `1 DS_Startup, 2 DS_ServiceMode …`. */
const statusWords = Object.entries(DeviceStatus)
  .map(([word, value]) => `${value} ${word}`)
  .join(', ');

function ofDevice(device: Device): readonly Family[] {
  return [
    {
      name: 'azimuth_scanner_info',
      help: 'Which scanner this is; always 1.',
      type: 'gauge',
      labels: ['serial', 'release', 'variant'],
      samples: () => [{ labels: { serial: device.identity.serialNumber, ...device.edition }, value: 1 }],
    },
    {
      name: 'azimuth_network_info',
      help: 'The network settings in force; always 1.',
      type: 'gauge',
      labels: ['source', 'address', 'mask', 'gateway'],
      samples: () => [{ labels: networkOf(device), value: 1 }],
    },
    {
      name: 'azimuth_device_status',
      help: `DeviceStatus: ${statusWords}.`,
      type: 'gauge',
      samples: () => [{ value: device.read(status.members.DeviceStatus) }],
    },
    {
      name: 'azimuth_unexpected_errors_total',
      help: 'Unexpected errors outside of requests, by where they occurred.',
      type: 'counter',
      labels: ['where'],
      samples: () => device.errors.counts.counts.map(([where, value]) => ({ labels: { where }, value })),
    },
    {
      name: 'azimuth_lost_documents',
      help: 'Documents of its folder that could not be read since the process started; 1 for each.',
      type: 'gauge',
      labels: ['document'],
      samples: () => device.lostDocuments.map(({ document }) => ({ labels: { document }, value: 1 })),
    },
    {
      name: 'azimuth_saves_total',
      help: 'Saves of parameters, by result.',
      type: 'counter',
      labels: ['result'],
      samples: () =>
        (['stored', 'failed'] as const).map((result) => ({
          labels: { result },
          value: device.saving.saves.of(result),
        })),
    },
    {
      name: 'azimuth_time_synchronised',
      help: '1 while the clock shows the time of a time server or a PTP master.',
      type: 'gauge',
      samples: () => [{ value: device.synchronisation.state.Synchronised ? 1 : 0 }],
    },
    {
      name: 'azimuth_time_offset_seconds',
      help: 'How far the time server or PTP master was ahead of the clock, the last time.',
      type: 'gauge',
      samples: () => [{ value: device.synchronisation.state.Offset / 1000 }],
    },
    {
      name: 'azimuth_ptp_state',
      help: `State of the PTP slave: ${ptpStates}.`,
      type: 'gauge',
      samples: () => [{ value: device.synchronisation.state.Ptp.State }],
    },
    {
      name: 'azimuth_ptp_path_delay_seconds',
      help: 'Time from the PTP master to the scanner, one way.',
      type: 'gauge',
      samples: () => [{ value: device.synchronisation.state.Ptp.PathDelay / 1000 }],
    },
    {
      name: 'azimuth_scans_total',
      help: 'Computed scans; scans are computed only while something uses them.',
      type: 'counter',
      samples: () => [{ value: device.measuring.scans }],
    },
    {
      name: 'azimuth_scans_skipped_total',
      help: 'Revolutions without a scan, because the process was delayed.',
      type: 'counter',
      samples: () => [{ value: device.measuring.skipped }],
    },
    {
      name: 'azimuth_power_ons_total',
      help: 'Power cycles over the life of the scanner.',
      type: 'counter',
      samples: () => [{ value: device.operatingData.counters.powerOnCount }],
    },
    {
      name: 'azimuth_temperature_celsius',
      help: 'Temperature inside the scanner.',
      type: 'gauge',
      samples: () => [{ value: device.host.temperature() }],
    },
  ];
}

function networkOf({ network }: Device): Readonly<Record<string, string>> {
  const { reachable } = network;
  if (reachable.source === 'none') return { source: 'none', address: '', mask: '', gateway: '' };
  const { source, address, mask, gateway } = reachable;
  return { source, address: address.join('.'), mask: mask.join('.'), gateway: gateway.join('.') };
}
