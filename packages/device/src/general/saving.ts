import { general } from '@azimuth/model';
import type { Lifecycle } from '../lifecycle/lifecycle.js';
import type { Saving } from '../parameters/saving.js';
import { type Act, act } from '../room.js';

const { WriteEeprom, SoftReset, RebootDevice, LoadFactoryDefaults, LoadApplicationDefaults } =
  general.members;

/** Saving, reboots and defaults (specification, States and transitions). */
export function savingActs(saving: Saving, lifecycle: Lifecycle): readonly Act[] {
  return [
    act(WriteEeprom, async () => {
      await saving.storeWorking();
      return { Success: true };
    }),
    act(RebootDevice, async (_, { afterwards }) => {
      await saving.storeWorking();
      afterwards(() => lifecycle.reboot());
      return {};
    }),
    act(SoftReset, (_, { afterwards }) => {
      afterwards(() => lifecycle.reboot());
      return {};
    }),
    act(LoadFactoryDefaults, async () => {
      await saving.loadFactoryDefaults();
      return {};
    }),
    act(LoadApplicationDefaults, async () => {
      await saving.loadApplicationDefaults();
      return {};
    }),
  ];
}
