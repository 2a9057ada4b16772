import { device, ethernet, legacyProtocols } from '@azimuth/model';
import { Act, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { type Labelled, ParameterGroup } from '../forms/parameter-form.js';
import { valueText } from '../forms/value-text.js';
import { Facts, PageContent, Panel } from '../parts/panels.js';
import { StateMark } from '../parts/states.js';
import { sentence } from '../parts/texts.js';
import { AddressForm } from './address-form.js';
import { leaseOf, settingsInForce } from './address-plan.js';
import { levelToSwitchWebServer, useWebServerSwitch, webServerQuestion } from './web-server-switch.js';

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

/** The switch of the web server, without which neither pages nor REST work. */
function WebServer() {
  const link = scanner();
  const { isOn, failure, set } = useWebServerSwitch(link);
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
              <Act
                kind="danger"
                level={levelToSwitchWebServer}
                act={() => set(false)}
                question={webServerQuestion}
              >
                Switch off …
              </Act>
            ) : (
              <Act kind="main" level={levelToSwitchWebServer} act={() => set(true)}>
                Leave it on
              </Act>
            )}
            <NeedsLevel level={levelToSwitchWebServer} />
          </div>
        </>
      )}
    </Panel>
  );
}
