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
      // From here on nothing is acknowledged that this save may not hold.
      const reboot = lifecycle.order();
      try {
        await saving.storeWorking();
      } catch (error) {
        reboot.callOff();
        throw error;
      }
      afterwards(reboot.begin);
      return {};
    }),
    act(SoftReset, (_, { afterwards }) => {
      afterwards(lifecycle.order().begin);
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
