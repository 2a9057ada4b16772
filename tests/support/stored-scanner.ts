import { storedIdentity } from '@azimuth/device';
import { type LostDocument, storedNames } from '@azimuth/device/documents';
import { bundleOf, ecKeys, issue } from './certificates.js';
import type { FaultyStorage } from './faulty-storage.js';
import { TestDevice } from './test-device.js';

const identity = storedIdentity({ requested: undefined, fresh: () => '11111111', usual: '22222222' });

async function* piecesOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}

/** Folder of a scanner that has used every function that stores something. */
export async function storedScanner(): Promise<FaultyStorage> {
  const testDevice = await TestDevice.open({ identity });
  const { device, log, storage } = testDevice;
  await testDevice.call('WriteEeprom');
  await testDevice.call('CreateParameterBackup', { Passphrase: '' });
  await testDevice.call('DoDiagnosisDump', {});
  await testDevice.call('setCertificateBundle', { ...bundleOf([issue({ keys: ecKeys() })]) });
  await device.features.history.reset();
  await device.features.firmwareUpdate.receive(piecesOf(Buffer.alloc(2000, 'firmware ')), log);
  await testDevice.context.storage.receive('cloud.pcd', piecesOf(Buffer.alloc(2000, 'a point cloud ')));
  const missing = storedNames.filter((name) => !storage.documents.has(name));
  if (missing.length > 0) throw new Error(`${missing.join(', ')} would have to be stored, too`);
  return storage.afterPowerCut();
}

/** Findings of a start. */
export interface Findings {
  readonly deviceStatus: number;
  readonly lost: readonly LostDocument[];
  /** Messages of errors in the log, with the document that they name. */
  readonly errors: readonly (readonly [string, unknown])[];
  readonly storage: FaultyStorage;
}

/** Starts a scanner with this storage, and waits until it has looked at all it has stored. */
export async function startWith(storage: FaultyStorage): Promise<Findings> {
  const { device, context, log } = await TestDevice.open({ identity }, storage);
  // A file is read only after it was checked.
  for (const name of storedNames) await context.storage.read(name).catch(() => undefined);
  const findings = {
    deviceStatus: device.features.deviceStatus.conditions.deviceStatus,
    lost: [...device.features.saving.lostDocuments],
    errors: log.errors.map(({ message, facts }) => [message, facts.document] as const),
    storage,
  };
  await device.close();
  return findings;
}

/** True if a damaged document is reported, and stored under another name without a change. */
export function isReported(name: string, damaged: Uint8Array, findings: Findings): boolean {
  const { deviceStatus, lost, errors, storage } = findings;
  const [loss] = lost;
  const aside = storage.documents.get(loss?.setAside ?? '');
  return (
    deviceStatus === 7 &&
    lost.length === 1 &&
    loss?.document === name &&
    aside !== undefined &&
    Buffer.compare(aside, damaged) === 0 &&
    errors.some(([, document]) => document === name)
  );
}
