import { general } from '@azimuth/model';
import { type Feature, method } from '../feature.js';
import type { ContainedHardware } from '../hardware/contained-hardware.js';
import type { Lifecycle } from '../lifecycle/lifecycle.js';
import type { Saving } from '../parameters/saving.js';
import type { LostDocument } from '../storage/documents.js';
import { openFactoryPasswords, type PasswordStores, warnOfOpened } from './passwords.js';

const { WriteEeprom, SoftReset, RebootDevice, LoadFactoryDefaults, LoadApplicationDefaults } =
  general.members;

interface Options extends PasswordStores {
  readonly saving: Saving;
  readonly lifecycle: Lifecycle;
  readonly hardware: Pick<ContainedHardware, 'factoryReset'>;
  readonly documents: { readonly lost: readonly LostDocument[] };
}

export interface SavingAndReboots extends Feature, Pick<Saving, 'saves' | 'storeWorking' | 'restore'> {
  /** The documents that were lost since the process started, in that order. */
  readonly lostDocuments: readonly LostDocument[];
}

/** Saving, reboots and defaults (specification, States and transitions). */
export function savingAndReboots(options: Options): SavingAndReboots {
  const { saving, lifecycle, documents } = options;
  return {
    get lostDocuments() {
      return documents.lost;
    },
    saves: saving.saves,
    storeWorking: () => saving.storeWorking(),
    restore: (values) => saving.restore(values),
    methods: [
      method(WriteEeprom, async () => {
        await saving.storeWorking();
        return { Success: true };
      }),
      method(RebootDevice, async (_, { afterwards }) => {
        // Refuses writes from here on, because this save might not contain them.
        const reboot = lifecycle.order('RebootDevice');
        try {
          await saving.storeWorking();
        } catch (error) {
          reboot.callOff();
          throw error;
        }
        afterwards(reboot.begin);
        return {};
      }),
      method(SoftReset, (_, { afterwards }) => {
        afterwards(lifecycle.order('SoftReset').begin);
        return {};
      }),
      method(LoadFactoryDefaults, async (_, { log }) => {
        const before = openFactoryPasswords(options);
        await saving.loadFactoryDefaults();
        await options.credentials.loadFirst();
        options.hardware.factoryReset();
        warnOfOpened(log, before, openFactoryPasswords(options));
        return {};
      }),
      method(LoadApplicationDefaults, async () => {
        await saving.loadApplicationDefaults();
        return {};
      }),
    ],
  };
}
