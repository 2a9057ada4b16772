import { ClientError } from '@azimuth/client';
import { device, ethernet, legacyProtocols, webserverSettings } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Act, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { levelToCall } from '../connection/declarations.js';
import { type Labelled, ParameterGroup } from '../forms/parameter-form.js';
import { valueText } from '../forms/value-text.js';
import { Facts, PageContent, Panel } from '../parts/panels.js';
import { StateMark } from '../parts/states.js';
import { sentence } from '../parts/texts.js';
import { AddressForm } from './address-form.js';
import { isEnabledIn, leaseOf, settingsInForce } from './address-plan.js';

const { EtherMACAddress } = ethernet.members;
const { members } = legacyProtocols;

const names: Labelled = [[device.members.LocationName, 'Name of the place']];

const legacy: Labelled = [
  [members.EtherAuxEnabled, 'Interfaces A and B'],
  [members.EtherAuxIPPort, 'Port of interface A'],
  [members.EtherHostIPPort, 'Port of interface B'],
  [members.EtherSessionTimeout, 'Slow clients'],
  [members.EnableColaScan, 'Search'],
  [members.EtherLegacyScanMode, 'Search'],
];

export default function Network() {
  return (
    <PageContent title="Network">
      <p class="lead">
        How computers reach the scanner: its address, its name, and which interfaces are open.
      </p>
      <div class="panels broad">
        <AddressForm />
        <div class="beside">
          <Reached />
          <WebServer />
        </div>
      </div>
      <ParameterGroup title="Name" variables={names} edition={scanner().edition.value} />
      <Legacy />
    </PageContent>
  );
}

function Reached() {
  const link = scanner();
  const lease = leaseOf((name) => link.value(name));
  const inForce = settingsInForce(link);
  return (
    <Panel title="Now">
      <Facts
        of={[
          [link.gateway === undefined ? 'This page is at' : 'Reached at', link.shownUrl],
          ['In force', inForce?.address],
          ['Gateway', inForce?.gateway],
          ['Address from DHCP', lease ?? 'none'],
          ['MAC address', valueText(EtherMACAddress.type.shape, link.value(EtherMACAddress.name))],
        ]}
      />
      {inForce !== undefined && inForce.fault !== '' && (
        <div class="notice bad" role="alert">
          <strong>The last settings are not in force</strong>
          <span>{sentence(inForce.fault)}</span>
          <span class="soft">Correct the settings, or what the system lacks, and apply them again.</span>
        </div>
      )}
      <p class="small soft">
        What you write takes effect when you apply it, or at the next reboot if it was saved. A virtual
        scanner listens at the address of its command line instead, unless it was started with{' '}
        <code>--network rebind</code>.
      </p>
    </Panel>
  );
}

/** The other interfaces. Their settings take effect with those of the address. */
function Legacy() {
  return (
    <ParameterGroup title="Legacy protocols and search" variables={legacy} edition={scanner().edition.value}>
      <p class="soft">
        Older programs use the interfaces A and B. Search tools find the scanner without its address. Changes
        take effect when you apply the network settings, or at the next reboot.
      </p>
    </ParameterGroup>
  );
}

const { GetWebserverEnabled, SetWebserverEnabled } = webserverSettings.members;
const level = levelToCall(SetWebserverEnabled);

/** The switch of the web server, without which neither pages nor REST work. */
function WebServer() {
  const link = scanner();
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
  const set = (enable: boolean) => () =>
    link.call(SetWebserverEnabled.name, { Enable: enable }).finally(readState);
  const question = () => ({
    title: 'Switch the web server off?',
    text: 'After the next reboot, the scanner answers over HTTP and HTTPS no more: neither these pages nor programs reach it. Only the legacy interfaces can switch the web server on again (sMN SetWebserverEnabled 1).',
    act: 'Switch off',
    danger: true,
  });
  return (
    <Panel title="Web server">
      <p class="soft">Programs (REST) and these pages reach the scanner by its web server.</p>
      {failure.value !== '' && <p class="soft">{failure.value}</p>}
      {isOn.value !== undefined && (
        <>
          <StateMark severity={isOn.value ? 'good' : 'warn'}>
            {isOn.value ? 'Stays on at the next reboot' : 'Off after the next reboot'}
          </StateMark>
          <div class="row">
            {isOn.value ? (
              <Act kind="danger" level={level} act={set(false)} question={question}>
                Switch off …
              </Act>
            ) : (
              <Act kind="main" level={level} act={set(true)}>
                Leave it on
              </Act>
            )}
            <NeedsLevel level={level} />
          </div>
        </>
      )}
    </Panel>
  );
}
