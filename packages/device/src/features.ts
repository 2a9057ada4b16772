import type { KeyObject } from 'node:crypto';
import { isFrom, type PlugPins, type Release, SCdevicestate } from '@azimuth/model';
import { ParameterBackups } from './backup-restore/parameter-backups.js';
import { Lamps, operation } from './basic-settings/basic-settings.js';
import { Contamination } from './contamination-indication/contamination.js';
import { Https } from './cybersecurity/https.js';
import { Synchronisation } from './date-and-system-time/synchronisation.js';
import { DetectionHistory } from './detection-history/detection-history.js';
import type { DeviceContext } from './device-context.js';
import { contentOf } from './diagnostic-file/content.js';
import { DiagnosisDump } from './diagnostic-file/diagnosis-dump.js';
import { Network } from './ethernet/network.js';
import type { Feature } from './feature.js';
import { FieldContours } from './field-evaluation/field-definitions.js';
import { FieldEvaluation } from './field-evaluation/field-evaluation.js';
import { FirmwareUpdate } from './firmware-update/firmware-update.js';
import { passwords, userLevels } from './general/passwords.js';
import { savingAndReboots } from './general/save-and-reboot.js';
import { ReportedErrors } from './hardware/reported-errors.js';
import { SensorWatch } from './hardware/sensor-watch.js';
import { checksum, deviceInformation } from './identity/device-information.js';
import { Imu } from './imu-data-output/imu.js';
import { Ports } from './inputs-and-outputs/ports.js';
import type { TimeServers } from './interfaces/time-sources.js';
import {
  actingAngleRange,
  formatOfScans,
  KnownIssues,
  refuseDiagnosis,
} from './known-issues/known-issues.js';
import { legacyInterfaces } from './legacy-protocols/legacy-interfaces.js';
import { Encoder } from './measurement-data-output/encoder.js';
import { streamSettings } from './measurement-data-output/stream-settings.js';
import type { CoreSource } from './measuring/core-source.js';
import { Measuring } from './measuring/measuring.js';
import { TelegramTime, Uptime } from './measuring/telegram-time.js';
import { OperatingData } from './operating-data/operating-data.js';
import type { ParameterReader } from './parameters/parameters.js';
import { OwnMembers } from './product/own-members.js';
import { ScanMerge } from './scan-merge/scan-merge.js';
import { SessionTokens } from './session-tokens/session-tokens.js';
import { deviceStatus, TemperatureAlarm } from './status/status.js';
import { Cloning } from './system-plug/cloning.js';
import { WebserverSwitch } from './webserver-settings/webserver-switch.js';

/** Release from which on echoes of reflectors have a strength of their own. */
const reflectorsMarkedSince: Release = '2.1.0';

/** Parts that single features need from outside. */
export interface FeatureOptions {
  /** The measuring core. */
  readonly core: CoreSource;
  /** Time servers for the TSCRole of a client. Undefined: the scanner queries none. */
  readonly timeServers?: TimeServers | undefined;
  /** The Ed25519 public key that signs firmware files. Undefined: the scanner accepts none. */
  readonly firmwareKey?: KeyObject | undefined;
  /** Switches the web server on again. */
  readonly enableWebserver?: boolean | undefined;
  /** The pins of the plug, which determine the number of ports: 12 by default. */
  readonly plug?: PlugPins | undefined;
  /**
   * True if certificates with RSA keys from 2048 bits on are accepted. Devices require more than 3072. False by
   * default.
   */
  readonly acceptsShortKeys?: boolean | undefined;
  /**
   * Number of power-ons since the last write of the storage and before this start, which the scanner still has to
   * count. -1 if this start is not a power-on.
   */
  readonly missedPowerOns?: number | undefined;
}

/** The features of a scanner by name, in the order in which they boot. */
export type Features = Awaited<ReturnType<typeof featuresOf>>;

/**
 * Creates the features of a scanner, in the order in which they boot. Features that others use are created before the
 * list.
 * @param variables reads variables, computed ones included
 */
export async function featuresOf(
  context: DeviceContext,
  options: FeatureOptions,
  variables: ParameterReader,
) {
  const { clock, time, hardware, log, errors, conditions, state } = context;
  const uptime = new Uptime(clock);
  const telegramTime = new TelegramTime(log);
  const network = new Network(context);
  const temperatureAlarm = new TemperatureAlarm(context);
  const issues = new KnownIssues(context);
  const contamination = new Contamination({
    ...context,
    levels: () => hardware.contamination(),
  });
  const measuring = new Measuring({
    ...{ ...context, uptime, telegramTime },
    acting: (settings) => ({
      ...settings,
      LFPangleRangeFilter: actingAngleRange(settings.LFPangleRangeFilter, issues, context.parameters),
    }),
    core: options.core,
    marksReflectors: () => isFrom(context.served.current.edition.release, reflectorsMarkedSince),
    listenerFailed: (error) => errors.report('measuring', error),
  });
  const encoder = new Encoder({ ...context, uptime, measuring });
  const imu = new Imu({ ...context, uptime, telegramTime, measuring });
  const ports: Ports = new Ports({
    ...{ ...context, uptime, plug: options.plug },
    signals: {
      ready: () => conditions.shortState === SCdevicestate.Ready,
      field: (evaluation) => fields.signal(evaluation),
      contaminationWarning: () => contamination.result.bWarningActive !== issues.isContaminationInverted,
      contaminationError: () => contamination.result.bErrorActive !== issues.isContaminationInverted,
      temperatureAlarm: () => temperatureAlarm.raised,
    },
    encoderReference: (signal) => encoder.reference(signal),
  });
  context.announcements.subscribeTo([formatOfScans], () => measuring.configure());
  issues.onChange(() => {
    measuring.configure();
    contamination.levelsChanged();
    ports.update();
  });
  const fields: FieldEvaluation = new FieldEvaluation({ ...context, measuring, ports });

  const synchronisation = new Synchronisation({
    ...context,
    servers: options.timeServers,
    synchronised: (change) => {
      const { at, utc, rate } = time.lineAt(clock.monotonic());
      const up = uptime.microsecondsAt(at);
      const followed = { at: up, ahead: utc * 1000 - up, rate, isSlewed: change === 'slewed' };
      telegramTime.follow(change === 'lost' ? undefined : followed, measuring.nextScan);
    },
  });
  const cloning = new Cloning(context);
  const reportedErrors = new ReportedErrors(context);
  const sensors = new SensorWatch({
    ...context,
    changed: {
      temperature: () => temperatureAlarm.temperatureChanged(),
      encoder: () => encoder.changed(),
      contamination: () => contamination.levelsChanged(),
      inputs: () => ports.levelsChanged(),
      systemPlug: () => void cloning.plugChanged(),
      lease: () => network.leaseChanged(),
      disciplined: () => synchronisation.disciplineChanged(),
      errors: () => reportedErrors.changed(),
    },
  });

  return {
    firmwareUpdate: new FirmwareUpdate({ ...context, firmwareKey: options.firmwareKey }),
    uptime,
    telegramTime,
    synchronisation,
    lamps: new Lamps(context),
    passwords: passwords(context),
    userLevels: userLevels(context),
    saving: savingAndReboots(context),
    sessionTokens: new SessionTokens(context),
    backups: new ParameterBackups(context),
    cloning,
    checksum: checksum(context),
    diagnosis: new DiagnosisDump({
      ...context,
      gather: () => {
        refuseDiagnosis(issues, context.parameters);
        return contentOf({ ...context, network, read: (variable) => variables.read(variable) }, log);
      },
    }),
    deviceInformation: deviceInformation(context),
    deviceStatus: deviceStatus(context),
    network,
    legacyInterfaces: legacyInterfaces(context),
    streamSettings: streamSettings(context),
    webserver: new WebserverSwitch(state, options.enableWebserver),
    https: await Https.load({ ...context, acceptsShortKeys: options.acceptsShortKeys ?? false }),
    operatingData: await OperatingData.load(context, options.missedPowerOns),
    temperatureAlarm,
    contamination,
    issues,
    ports,
    measuring,
    operation: operation({ ...context, measuring }),
    encoder,
    imu,
    fieldContours: new FieldContours(context.parameters, measuring, context.clock),
    fields,
    distances: fields.distances,
    history: await DetectionHistory.load({ ...context, fields }),
    reportedErrors,
    sensors,
    scanMerge: new ScanMerge({ ...context, measuring, encoder, imu }),
    ownMembers: new OwnMembers({ ...context, variables }),
  } satisfies Readonly<Record<string, Feature>>;
}
