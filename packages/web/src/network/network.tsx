import { device, ethernet, legacyProtocols } from '@azimuth/model';
import { scanner } from '../connection/current.js';
import { type Labelled, ParameterGroup } from '../forms/parameter-group.js';
import { valueText } from '../forms/value-text.js';
import { AddressForm } from './address-form.js';
import { leaseOf } from './address-plan.js';
import { WebServer } from './web-server.js';
import '../style/maintain.css';

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

/** How the scanner is reached. */
export function Network() {
  return (
    <div class="content">
      <header class="lead">
        <h1>Network</h1>
        <p class="soft">
          How computers reach the scanner: its address, its name, and which interfaces are open.
        </p>
      </header>
      <div class="panels broad">
        <AddressForm />
        <div class="beside">
          <Reached />
          <WebServer />
        </div>
      </div>
      <ParameterGroup title="Name" variables={names} edition={scanner().edition.value} />
      <Legacy />
    </div>
  );
}

function Reached() {
  const link = scanner();
  const lease = leaseOf((name) => link.value(name));
  return (
    <section class="panel">
      <h2>Now</h2>
      <dl class="facts">
        <dt>{link.gateway === undefined ? 'This page is at' : 'Reached at'}</dt>
        <dd>{link.shownUrl}</dd>
        <dt>Address from DHCP</dt>
        <dd>{lease ?? 'none'}</dd>
        <dt>MAC address</dt>
        <dd>{valueText(EtherMACAddress.type.shape, link.value(EtherMACAddress.name))}</dd>
      </dl>
      <p class="small soft">
        What you write takes effect when you apply it, or at the next reboot if it was saved. A virtual
        scanner listens at the address of its command line instead, unless it was started with{' '}
        <code>--network rebind</code>.
      </p>
    </section>
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
