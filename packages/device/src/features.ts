import { SCdevicestate } from '@azimuth/model';
import { Access } from './access/access.js';
import { openCredentials } from './access/credential-store.js';
import { BackupSlot, ParameterBackups } from './backup-restore/parameter-backups.js';
import { BackupResults } from './backup-restore/results.js';
import { Lamps } from './basic-settings/lamps.js';
import { operation } from './basic-settings/operation.js';
import { Behaviour } from './behaviour.js';
import { Contamination } from './contamination-indication/contamination.js';
import { BundleStore, Https } from './cybersecurity/https.js';
import { Synchronisation } from './date-and-system-time/synchronisation.js';
import { DetectionHistory } from './detection-history/detection-history.js';
import { contentOf } from './diagnostic-file/content.js';
import { DiagnosisDump } from './diagnostic-file/diagnosis-dump.js';
import { Network } from './ethernet/network.js';
import type { Feature } from './feature.js';
import { FieldContours } from './field-evaluation/field-definitions.js';
import { FieldEvaluation } from './field-evaluation/field-evaluation.js';
import { FirmwareUpdate } from './firmware-update/firmware-update.js';
import { checksum } from './general/checksum.js';
import { passwords } from './general/passwords.js';
import { savingAndReboots } from './general/save-and-reboot.js';
import { userLevels } from './general/user-levels.js';
import { deviceInformation } from './identity/identity.js';
import { Imu } from './imu-data-output/imu.js';
import { Ports } from './inputs-and-outputs/ports.js';
import { legacyInterfaces } from './legacy-protocols/legacy-interfaces.js';
import { Encoder } from './measurement-data-output/encoder.js';
import { streamSettings } from './measurement-data-output/stream-settings.js';
import { Measuring } from './measuring/measuring.js';
import { TelegramTime, Uptime } from './measuring/telegram-time.js';
import { selfObservation } from './operating-data/operating-data.js';
import { Saving } from './parameters/saving.js';
import { factorySwitches } from './parameters/stored-state.js';
import type { DeviceOptions, Platform } from './platform.js';
import { recordingInput, ScanMerge } from './scan-merge/scan-merge.js';
import { SessionTokens } from './session-tokens/session-tokens.js';
import { deviceStatus, TemperatureAlarm } from './status/status.js';
import { WebserverSwitch } from './webserver-settings/webserver-switch.js';

/** Makes the features of a scanner, and connects those to each other that need one another. */
export async function featuresOf(platform: Platform, options: DeviceOptions) {
  const { clock, time, random, host, log, storage, documents, errors, identity, served } = platform;
  const { announcements, parameters, conditions, lifecycle, counters, firmware, state } = platform;
  const release = () => served.current.edition.release;
  const credentials = await openCredentials(platform, options.passwords);
  const bundles = await BundleStore.load(documents);
  const history = await DetectionHistory.load(documents, clock, log);

  const uptime = new Uptime(clock);
  const telegramTime = new TelegramTime(log);
  const synchronisation = new Synchronisation({
    ...platform,
    servers: options.timeServers,
    synchronised: (isSynchronised) => {
      const ahead = time.utc * 1000 - uptime.microseconds;
      telegramTime.follow(isSynchronised ? ahead : undefined, measuring.nextScan);
    },
  });
  const access = new Access({
    ...{ clock, random, log, credentials, state },
  });
  const sessionTokens = new SessionTokens(clock, random);
  const https = new Https({ ...platform, store: bundles });
  const saving = new Saving({ ...platform, factorySwitches: () => factorySwitches(release()) });
  const backupResults = new BackupResults(announcements);
  const slot = new BackupSlot(documents);
  const backups = new ParameterBackups({ ...platform, saving, slot, results: backupResults, release });
  const diagnosis = new DiagnosisDump({
    ...{ storage, documents, log },
    gather: () => contentOf({ ...platform, credentials, network, read: behaviour.read.bind(behaviour) }, log),
    utc: () => time.utc,
    suspend: (suspended) => conditions.set('DS_SuspendedOperation', 'diagnosis', suspended),
  });
  const firmwareUpdate = new FirmwareUpdate({
    ...platform,
    deviceType: identity.deviceType,
    firmwareKey: options.firmwareKey,
    running: () => firmware.release,
    install: (installed) => firmware.install(installed),
  });
  const network = new Network(platform);
  const temperatureAlarm = new TemperatureAlarm(parameters, host, announcements);
  const lamps = new Lamps(parameters, conditions, clock, announcements);
  const contamination = new Contamination({ ...platform, levels: () => host.contamination?.() ?? [] });
  const measuring = new Measuring({
    ...{ ...platform, uptime, telegramTime },
    core: options.core,
    screen: (scan) => contamination.apply(scan),
    listenerFailed: (error) => errors.report('measuring', error),
  });
  const encoder = new Encoder({ ...platform, uptime });
  const imu = new Imu({ ...platform, uptime, telegramTime, measuring });
  const ports: Ports = new Ports({
    ...{ ...platform, uptime },
    signals: {
      ready: () => conditions.shortState === SCdevicestate.Ready,
      field: (evaluation) => fields.infringed(evaluation),
      contaminationWarning: () => contamination.result.bWarningActive,
      contaminationError: () => contamination.result.bErrorActive,
      temperatureAlarm: () => temperatureAlarm.raised,
    },
    encoderReference: (signal) => encoder.reference(signal),
  });
  const fields: FieldEvaluation = new FieldEvaluation({ ...platform, measuring, inputs: ports });
  history.follow({ fields, parameters, announcements });
  const scanMerge = new ScanMerge({ ...platform, measuring, encoder, imu });
  ports.onInput((port, active) => {
    fields.inputsChanged();
    if (port === recordingInput) scanMerge.inputActive(active);
  });
  const webserver = new WebserverSwitch(state, options.enableWebserver);

  /** In the order in which they boot. */
  const features: readonly Feature[] = [
    firmwareUpdate,
    synchronisation,
    lamps,
    passwords(access, credentials),
    userLevels(state, credentials),
    savingAndReboots({ saving, lifecycle, state, credentials }),
    sessionTokens,
    backups,
    checksum({ identity, stored: () => state.content.parameters, release, intact: () => conditions.intact }),
    diagnosis,
    deviceInformation(identity, release),
    deviceStatus(conditions),
    network,
    legacyInterfaces(parameters),
    streamSettings(parameters, release),
    webserver,
    https,
    selfObservation(counters, state, host),
    temperatureAlarm,
    uptime,
    telegramTime,
    contamination,
    ports,
    measuring,
    operation(parameters, measuring),
    encoder,
    imu,
    new FieldContours(parameters, measuring),
    fields,
    fields.distances,
    history,
    scanMerge,
  ];
  const behaviour = new Behaviour(features, platform);
  /** Those that others than features have to do with: the wires. */
  const named = {
    ...{ credentials, access, sessionTokens, https, saving, backups, backupResults, diagnosis, webserver },
    ...{ network, firmwareUpdate, synchronisation, lamps, temperatureAlarm, contamination, ports },
    ...{ measuring, telegramTime, encoder, imu, fields, history, scanMerge },
  };
  return { features, behaviour, named };
}
