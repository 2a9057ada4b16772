import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { type ControlCommands, ControlRefused, type Device, FolderPlug, type Given } from '@azimuth/device';
import { Mutex, PlugState } from '@azimuth/model';
import type { VirtualHost } from '../virtual-host.js';
import { textIn } from './command-members.js';

/** The system plug in the connector: a folder, or none. */
export function plugCommands({ cloning }: Pick<Device, 'cloning'>, host: VirtualHost): ControlCommands {
  const exchanging = new Mutex();
  return {
    plug: {
      takes: ['folder'],
      act: async (given) => {
        const plug = await plugIn(given, host);
        await exchanging.run(async () => {
          // The former plug is out first: it may be the same folder.
          const former = host.setSystemPlug(undefined);
          await cloning.plugChanged();
          await former?.release();
          if (plug === undefined) return;
          host.setSystemPlug(plug);
          await cloning.plugChanged();
        });
      },
    },
  };
}

/** Undefined for null: the plug is pulled out. @throws ControlRefused */
async function plugIn(given: Given, { log }: VirtualHost): Promise<FolderPlug | undefined> {
  if (given.folder === null) return undefined;
  const folder = textIn(given, 'folder');
  if (!isAbsolute(folder)) throw new ControlRefused('"folder" must be a full path, or null for no plug');
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new ControlRefused('"folder" must be an existing folder');
  return new FolderPlug(folder, log);
}

/** The plug in the connector with its state; null without one. */
export function plugOverview({ cloning }: Pick<Device, 'cloning'>, host: VirtualHost): object | null {
  const plug = host.systemPlug();
  if (plug === undefined) return null;
  const { State, SerialNumber, Fault } = cloning.status;
  const state = Object.entries(PlugState).find(([, value]) => value === State)?.[0];
  return { folder: plug.name, state, serialNumber: SerialNumber, fault: Fault };
}
