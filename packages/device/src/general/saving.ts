import { general } from '@azimuth/model';
import { openFactoryPasswords, warnOfOpened } from '../access/factory-passwords.js';
import type { Device } from '../device.js';
import { type Act, act } from '../room.js';

const { WriteEeprom, SoftReset, RebootDevice, LoadFactoryDefaults, LoadApplicationDefaults } =
  general.members;

/** Saving, reboots and defaults (specification, States and transitions). */
export function savingActs(
  facts: Pick<Device, 'saving' | 'lifecycle' | 'state' | 'credentials'>,
): readonly Act[] {
  const { saving, lifecycle } = facts;
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
    act(LoadFactoryDefaults, async (_, { log }) => {
      const before = openFactoryPasswords(facts);
      await saving.loadFactoryDefaults();
      warnOfOpened(log, before, openFactoryPasswords(facts));
      return {};
    }),
    act(LoadApplicationDefaults, async () => {
      await saving.loadApplicationDefaults();
      return {};
    }),
  ];
}
