import { decodeTelegram, type ScanModule } from '@azimuth/telegrams';
import { errorCodeOf, type LegacyTelegram, type LmdScan, parseCommand } from '@azimuth/telegrams/legacy';

/** Values of fields of the dissector, by their names without `azimuth.`. */
export type ShownValues = Readonly<Record<string, readonly (number | string)[]>>;

/** Beams of a segment that the dissector shows by default. */
const shownBeams = 32;

/** The values of a telegram as our decoder reads them, by the names of the dissector. */
export function valuesOf(bytes: Uint8Array): ShownValues {
  const decoded = decodeTelegram(bytes);
  if (decoded.kind === 'imu') {
    const { acceleration, angularVelocity, orientation, time } = decoded.telegram;
    return {
      'imu.acceleration_x': [acceleration[0]],
      'imu.acceleration_z': [acceleration[2]],
      'imu.angular_velocity_y': [angularVelocity[1]],
      'imu.orientation_w': [orientation[0]],
      'imu.time': [time],
    };
  }
  if (decoded.kind === 'encoder') {
    const { sequence, frameNumber, ticks, references, speed, time, referenceTimes } = decoded.telegram;
    return {
      'encoder.sequence': [sequence],
      'encoder.frame_number': [frameNumber],
      'encoder.ticks': [ticks],
      'encoder.references_2': [references[1]],
      'encoder.speed': [speed],
      'encoder.time': [time],
      'encoder.reference_times_1': [referenceTimes[0]],
    };
  }
  const { sequence, transmitTime, modules, version } = decoded.telegram;
  const isCompact = decoded.format === 'Compact';
  const prefix = isCompact ? 'compact' : 'msgpack';
  const of = (read: (module: ScanModule) => Iterable<number>) =>
    modules.flatMap((module) => [...read(module)]);
  const values = {
    sequence: [sequence],
    transmit_time: [transmitTime],
    segment_index: of((module) => [module.segmentIndex]),
    frame_number: of((module) => [module.frameNumber]),
    sender: of((module) => [module.sender]),
    echoes: of((module) => [module.echoes]),
    [isCompact ? 'columns' : 'beams']: of((module) => [module.columns]),
    first_beam_time: of((module) => Array.from(module.firstBeamTime)),
    last_beam_time: of((module) => Array.from(module.lastBeamTime)),
    first_azimuth: of((module) => Array.from(module.firstAzimuth)),
    last_azimuth: of((module) => Array.from(module.lastAzimuth)),
    distance: of((module) => shownOf(module, module.distance, isCompact)),
    rssi: of((module) => shownOf(module, module.rssi ?? [], isCompact)),
    ...(isCompact
      ? {
          version: [version ?? 4],
          azimuth: of(({ azimuth = [] }) => Array.from(azimuth).slice(0, shownBeams)),
          properties: of(({ properties = [] }) => Array.from(properties).slice(0, shownBeams)),
        }
      : {}),
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]));
}

/** The values that are shown of a module of one row: beam by beam, or in MSGPACK echo by echo. */
function shownOf({ echoes, columns }: ScanModule, values: ArrayLike<number>, isByBeam: boolean): number[] {
  const all = Array.from(values);
  const beams = Math.min(columns, shownBeams);
  if (isByBeam || all.length === 0) return all.slice(0, beams * echoes);
  return Array.from({ length: beams * echoes }, (_, place) => {
    const [echo, beam] = [Math.floor(place / beams), place % beams];
    return all[beam * echoes + echo] ?? 0;
  });
}

/** The values of a legacy telegram: command, name and code of an error. */
export function legacyValues(telegram: LegacyTelegram): ShownValues {
  const command = parseCommand(telegram);
  const error = errorCodeOf(telegram);
  return {
    'cola.command': [command?.command ?? ''],
    'cola.name': command?.name ? [command.name] : [],
    'cola.error': error === undefined ? [] : [`0x${error.toString(16).padStart(4, '0')}`],
  };
}

/** The values of a scan of LMDscandata. */
export function lmdValues(scan: LmdScan): ShownValues {
  const channels = [...scan.channels16, ...scan.channels8];
  const scaled = (start: string) =>
    channels
      .filter(({ content }) => content.startsWith(start))
      .flatMap(({ data, scale, offset }) =>
        Array.from(data.subarray(0, shownBeams), (value) => value * scale + offset),
      );
  return {
    'lmd.serial_number': [scan.serialNumber],
    'lmd.telegram_counter': [scan.telegramCounter],
    'lmd.scan_counter': [scan.scanCounter],
    'lmd.scan_time': [scan.scanTime],
    'lmd.scan_frequency': [scan.scanFrequency],
    'lmd.layer_angle': [scan.layerAngle],
    'lmd.encoder.ticks': scan.encoders.map(({ ticks }) => ticks),
    'lmd.channel.content': channels.map(({ content }) => content),
    'lmd.channel.start_angle': channels.map(({ startAngle }) => startAngle),
    'lmd.distance': scaled('DIST'),
    'lmd.rssi': scaled('RSSI'),
    'lmd.position.rotation_y': scan.position === undefined ? [] : [scan.position.rotationY],
    'lmd.time.microsecond': scan.time === undefined ? [] : [scan.time.microsecond],
    'lmd.event.type': scan.event === undefined ? [] : [scan.event.type],
  };
}
