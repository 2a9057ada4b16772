import {
  backupRestore,
  contaminationIndication,
  detectionHistory,
  legacyProtocols,
  measurementDataOutput,
  status,
  type Variable,
} from '@azimuth/model';

/*
 * Where devices shape a telegram in their own way. It belongs to the variable, whichever of its names is used.
 */

const { DeviceStatus, SCdevicestate } = status.members;

/** Devices subscribe to these without a value behind the name; with one, as to any other variable. */
export const followedWithoutValue: ReadonlySet<Variable<unknown>> = new Set<Variable<unknown>>([
  DeviceStatus,
  SCdevicestate,
]);

/**
 * In binary, devices acknowledge a write of these without the blank behind the name that all others have. Most of them came
 * with release 2.3.1, but not all, and not all that came then are among them.
 */
export const acknowledgedWithoutBlank: ReadonlySet<Variable<unknown>> = new Set<Variable<unknown>>([
  contaminationIndication.members.treatBlockedSectorsAsErrorSectors,
  measurementDataOutput.members.compactTelegramType1Content,
  measurementDataOutput.members.rosDomainId,
  legacyProtocols.members.EtherSessionTimeout,
  legacyProtocols.members.EtherAuxIPPort,
  legacyProtocols.members.EtherHostIPPort,
  backupRestore.members.enableCloningPlug,
  detectionHistory.members.EnableDetectionHistory,
]);
