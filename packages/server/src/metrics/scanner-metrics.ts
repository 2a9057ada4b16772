import type { Device } from '@azimuth/device';
import { by, counted, counter, gauge, type Metric, type Sample, type Traffic } from '@azimuth/http';
import { DeviceStatus, type Edition, editionFacts, loginLevels, PtpState, status } from '@azimuth/model';
import { legacyErrorNames } from '@azimuth/telegrams/legacy';
import type { EventMetrics } from '../events/event-metrics.js';
import type { LegacyInterfaces } from '../legacy/legacy-interfaces.js';
import type { DataStreams } from '../streams/data-streams.js';
import { type StreamMetrics, streamNames } from '../streams/delivery.js';

/** The metrics of data streams. */
export type StreamCounts = Pick<DataStreams, 'metrics' | 'clients' | 'blockedBy' | 'ros2'>;

/** The metrics of the legacy interfaces. */
export type LegacyCounts = Pick<LegacyInterfaces, 'metrics' | 'access'>;

/** Sources of a scanner's metrics, besides the device itself. */
export interface Counts {
  readonly traffic: Traffic;
  readonly events: EventMetrics;
  readonly streams: StreamCounts;
  /** Data streams; undefined if they are disabled. */
  readonly legacy: LegacyCounts | undefined;
  /** Time (ms) for which metrics are cached; default 1000. */
  readonly freshFor?: number | undefined;
}

/** Returns all metrics of a scanner as they are now. They contain no parameter values and no secrets. */
export function metricsOf(device: Device, { traffic, events, streams, legacy }: Counts): readonly Metric[] {
  return [
    ...ofTraffic(traffic),
    ...ofEvents(events),
    counter(
      'azimuth_live_scans_total',
      'Scans for one client of live scans that were sent, or discarded because the client reads too slowly.',
      by('outcome', ['sent', 'discarded'], (outcome) => events.liveScans[outcome]),
    ),
    ...ofStreams(streams),
    ...ofLegacy(legacy),
    ...ofAccess(device),
    ...ofDevice(device),
  ];
}

function ofTraffic(traffic: Traffic): readonly Metric[] {
  return [
    counter(
      'azimuth_requests_total',
      'Requests to the interface, by endpoint and status of the reply (0 is Ok).',
      Array.from(traffic.byEndpoint(), ({ endpoint, status, count }) => [
        { endpoint, status: String(status) },
        count,
      ]),
    ),
    counter(
      'azimuth_page_requests_total',
      'Requests beside the interface, by path and HTTP status.',
      Array.from(traffic.byPage(), ({ path, httpStatus, count }) => [{ path, code: httpStatus }, count]),
    ),
    counter(
      'azimuth_turned_away_total',
      'Requests refused before they were read, by reason.',
      counted('reason', traffic.byRefusal),
    ),
    gauge('azimuth_connections', 'Open connections.', traffic.connections),
  ];
}

function ofEvents({ events }: EventMetrics): readonly Metric[] {
  return [
    gauge('azimuth_event_connections', 'Open WebSockets for events and live scans.', events.connections),
    gauge(
      'azimuth_event_registrations',
      'Registrations for events on all these connections.',
      events.registrations,
    ),
    counter(
      'azimuth_event_values_total',
      'Values for one receiver that were pushed, throttled by an option, or discarded because the client reads too slowly.',
      by('outcome', ['pushed', 'throttled', 'discarded'], (outcome) => events[outcome]),
    ),
  ];
}

function ofStreams(streams: StreamCounts): readonly Metric[] {
  const byStream = (count: (metrics: StreamMetrics) => number): Sample[] =>
    by('stream', streamNames, (stream) => count(streams.metrics[stream]));
  return [
    counter(
      'azimuth_telegrams_total',
      'Telegrams of data streams that were sent to the network, counted for each receiver.',
      byStream(({ telegrams }) => telegrams),
    ),
    counter(
      'azimuth_telegram_bytes_total',
      'Bytes of these telegrams.',
      byStream(({ bytes }) => bytes),
    ),
    counter(
      'azimuth_telegram_errors_total',
      'Telegrams of data streams that were lost, or refused by their destination, by reason.',
      streamNames.flatMap((stream) =>
        streams.metrics[stream].losses.counts.map(([reason, count]): Sample => [{ stream, reason }, count]),
      ),
    ),
    gauge(
      'azimuth_stream_down',
      'Data streams that are on but cannot send, by reason; 1 for each.',
      streamNames.flatMap((stream): Sample[] => {
        const reason = streams.blockedBy(stream);
        return reason === undefined ? [] : [[{ stream, reason }, 1]];
      }),
    ),
    gauge('azimuth_stream_clients', 'Clients that read data streams over TCP.', streams.clients),
    gauge(
      'azimuth_ros_participants',
      'Participants of other programs in the ROS 2 domain of the scanner.',
      streams.ros2.peers,
    ),
    gauge('azimuth_ros_readers', 'Their readers of topics of the scanner.', streams.ros2.readers),
    counter(
      'azimuth_ros_repairs_total',
      'ROS 2 messages that were sent again, because a reader lacked them.',
      streams.ros2.repaired,
    ),
    counter(
      'azimuth_ros_ignored_total',
      'Datagrams at the ROS 2 ports that were not understood.',
      streams.ros2.ignored,
    ),
  ];
}

/** Returns the metrics of the legacy interfaces. All are 0 until a client has connected. */
function ofLegacy(legacy: LegacyCounts | undefined): readonly Metric[] {
  const metrics = legacy?.metrics;
  const access = legacy?.access;
  return [
    gauge('azimuth_legacy_sessions', 'Open sessions of the legacy interfaces.', metrics?.sessions ?? 0),
    counter(
      'azimuth_legacy_telegrams_total',
      'Telegrams that the legacy interfaces received and sent.',
      by('direction', ['in', 'out'], (direction) => metrics?.telegrams.of(direction) ?? 0),
    ),
    counter(
      'azimuth_legacy_errors_total',
      'Legacy requests that were answered with an error, by error.',
      by('error', legacyErrorNames, (error) => metrics?.errors.of(error) ?? 0),
    ),
    counter(
      'azimuth_legacy_foreign_sessions_total',
      'Connections to the legacy interfaces that were closed because they began with HTTP or TLS.',
      by('protocol', ['http', 'tls'], (protocol) => metrics?.foreign.of(protocol) ?? 0),
    ),
    counter(
      'azimuth_legacy_logins_total',
      'Logins over the legacy interfaces, by user level and result.',
      loginLevels.flatMap((level) =>
        loginResults.map((result): Sample => [{ user_level: level, result }, access?.[result][level] ?? 0]),
      ),
    ),
    counter(
      'azimuth_legacy_login_locks_total',
      'How often failed logins have locked the legacy interfaces.',
      access?.lockout.locks ?? 0,
    ),
    gauge(
      'azimuth_legacy_login_locked',
      '1 while logins over the legacy interfaces are locked.',
      access?.lockout.locked === true ? 1 : 0,
    ),
  ];
}

const loginResults = ['succeeded', 'failed', 'disabled'] as const;

function ofAccess({ access }: Device): readonly Metric[] {
  return [
    counter(
      'azimuth_challenges_total',
      'Challenges that were created, by user level.',
      by('user_level', loginLevels, (level) => access.challenges[level]),
    ),
    gauge('azimuth_challenges_pending', 'Challenges that wait for their POST.', access.pending),
    counter(
      'azimuth_challenge_floods_total',
      'How often the scanner began to refuse challenges because they were not used.',
      access.floods,
    ),
    counter(
      'azimuth_logins_total',
      'Logins, by user level and result.',
      loginResults.flatMap((result) =>
        loginLevels.map((level): Sample => [{ user_level: level, result }, access[result][level]]),
      ),
    ),
    counter(
      'azimuth_login_locks_total',
      'How often failed logins have locked all logins.',
      access.lockout.locks,
    ),
    gauge('azimuth_login_locked', '1 while logins are locked.', access.lockout.locked ? 1 : 0),
  ];
}

/** Lists the values of an enumeration: `1 DS_Startup, 2 DS_ServiceMode …`. */
const valueList = (values: Readonly<Record<string, number>>) =>
  Object.entries(values)
    .map(([word, value]) => `${value} ${word}`)
    .join(', ');

const statusValues = valueList(DeviceStatus);
const ptpStates = valueList(PtpState);

/** Returns the edition as labels, of which each has a value. */
function labelsOf(edition: Edition): Readonly<Record<string, string>> {
  const { release, variant, product, version } = editionFacts(edition);
  return product === undefined || version === undefined
    ? { release, variant }
    : { release, variant, product, version };
}

function ofDevice(device: Device): readonly Metric[] {
  const { state } = device.features.synchronisation;
  const { timeError } = device.features.measuring;
  return [
    gauge('azimuth_scanner_info', 'Which scanner this is; always 1.', [
      [{ serial: device.identity.serialNumber, ...labelsOf(device.served.edition) }, 1],
    ]),
    gauge('azimuth_network_info', 'The network settings in force; always 1.', [[networkOf(device), 1]]),
    gauge(
      'azimuth_device_status',
      `DeviceStatus: ${statusValues}.`,
      device.read(status.members.DeviceStatus),
    ),
    counter(
      'azimuth_unexpected_errors_total',
      'Unexpected errors outside of requests, by where they occurred.',
      counted('where', device.errors.counts.counts),
    ),
    gauge(
      'azimuth_lost_documents',
      'Documents of its folder that could not be read since the process started; 1 for each.',
      device.features.saving.lostDocuments.map(({ document }) => [{ document }, 1]),
    ),
    counter(
      'azimuth_saves_total',
      'Saves of parameters, by result.',
      by('result', ['stored', 'failed'], (result) => device.features.saving.saves.of(result)),
    ),
    gauge(
      'azimuth_time_synchronised',
      '1 while the clock shows the time of a time server or a PTP master.',
      state.Synchronised ? 1 : 0,
    ),
    gauge(
      'azimuth_time_offset_seconds',
      'How far the time server or PTP master was ahead of the clock, the last time.',
      state.Offset / 1000,
    ),
    gauge('azimuth_ptp_state', `State of the PTP slave: ${ptpStates}.`, state.Ptp.State),
    gauge(
      'azimuth_ptp_path_delay_seconds',
      'Time from the PTP master to the scanner, one way.',
      state.Ptp.PathDelay / 1000,
    ),
    counter(
      'azimuth_scans_total',
      'Computed scans; scans are computed only while something uses them.',
      device.features.measuring.scans,
    ),
    counter(
      'azimuth_scans_skipped_total',
      'Revolutions without a complete scan: the process was delayed, or the measuring core did not complete it.',
      device.features.measuring.skipped,
    ),
    gauge(
      'azimuth_core_time_error_seconds',
      'Maximum error of the times of scans from a core with a clock of its own, while one is connected.',
      timeError === undefined ? [] : [[{}, timeError / 1000]],
    ),
    counter(
      'azimuth_power_ons_total',
      'Power cycles over the life of the scanner.',
      device.features.operatingData.counters.powerOnCount,
    ),
    gauge('azimuth_temperature_celsius', 'Temperature inside the scanner.', device.hardware.temperature()),
  ];
}

function networkOf({ features: { network } }: Device): Readonly<Record<string, string>> {
  const { reachable } = network;
  if (reachable.source === 'none') return { source: 'none', address: '', mask: '', gateway: '' };
  const { source, address, mask, gateway } = reachable;
  return { source, address: address.join('.'), mask: mask.join('.'), gateway: gateway.join('.') };
}
