import { ClientError } from '@azimuth/client';
import { webserverSettings } from '@azimuth/model';
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { levelToCall } from '../connection/declarations.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import type { Question } from '../parts/dialogs.js';
import { isEnabledIn } from './address-plan.js';

const { GetWebserverEnabled, SetWebserverEnabled } = webserverSettings.members;

export const levelToSwitchWebServer = levelToCall(SetWebserverEnabled);

/** The switch of the web server, without which neither pages nor REST work. */
interface WebServerSwitch {
  /** True if it will be on after the next boot; undefined until that is known. */
  readonly isOn: ReadonlySignal<boolean | undefined>;
  /** Reason why that is not known; empty if there is none. */
  readonly failure: ReadonlySignal<string>;
  /** @throws ClientError */
  readonly set: (enable: boolean) => Promise<void>;
}

export function useWebServerSwitch(link: ScannerLink): WebServerSwitch {
  const isOn = useSignal<boolean | undefined>(undefined);
  const failure = useSignal('');
  const readState = async () => {
    try {
      isOn.value = isEnabledIn(await link.scanner.callAny(GetWebserverEnabled.name));
      failure.value = '';
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      failure.value = error.message;
    }
  };
  useEffect(() => void readState(), [link]);
  const set = async (enable: boolean) => {
    await link.call(SetWebserverEnabled.name, { Enable: enable }).finally(readState);
  };
  return { isOn, failure, set };
}

export function webServerQuestion(): Question {
  return {
    title: 'Switch the web server off?',
    text: 'After the next reboot, the scanner answers over HTTP and HTTPS no more: neither these pages nor programs reach it. Only the legacy interfaces can switch the web server on again (sMN SetWebserverEnabled 1).',
    act: 'Switch off',
    danger: true,
  };
}
