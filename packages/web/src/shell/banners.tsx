import { useEffect } from 'preact/hooks';
import type { MoveState } from '../connection/absence.js';
import { pageAfterMove, scanner } from '../connection/current.js';
import { settingsInForce } from '../network/address-plan.js';
import { Since, sentence } from '../parts/texts.js';

/** Shows the progress of a reboot or another absence that was requested on this page. */
export function AbsenceBanner() {
  const { absences } = scanner();
  const absence = absences.current.value;
  if (absence === undefined) return null;
  if (absence.kind === 'back') {
    return (
      <div class="absence" role="status">
        <strong>The scanner is back</strong>
        <span class="soft">after {absence.seconds} s. This page is up to date again.</span>
      </div>
    );
  }
  return (
    <div class="absence" role="status">
      <strong>The scanner {absence.reason}</strong>
      <span class="soft">
        <Since start={absence.since} /> s so far. This page reconnects by itself.
      </span>
      <progress aria-label={`The scanner ${absence.reason}`} />
    </div>
  );
}

/** ms for which a page shows its destination before it moves there. */
const leavesAfter = 3000;

/** Shows the result of a change of the address that was requested on this page. */
export function MoveBanner() {
  const { addressMove } = scanner();
  const move = addressMove.state.value;
  if (move === undefined) return null;
  return (
    <div class="absence" role="status">
      <Words move={move} />
      {move.kind !== 'leaving' && (
        <button type="button" onClick={() => addressMove.forget()}>
          Close
        </button>
      )}
    </div>
  );
}

function Words({ move }: { move: MoveState }) {
  const { to } = move;
  const fault = settingsInForce(scanner())?.fault ?? '';
  const isSaved = scanner().stored.unsaved.value?.length === 0;
  switch (move.kind) {
    case 'leaving':
      return (
        <>
          <strong>
            {to === undefined ? 'The scanner asks for an address' : `The scanner goes to ${to}`}
          </strong>
          <span class="soft">
            <Since start={move.since} /> s so far.
          </span>
          <progress aria-label="The scanner changes its address" />
        </>
      );
    case 'left':
      return <Left to={to} since={move.since} />;
    case 'arrived':
      return (
        <>
          <strong>The scanner is at {to}</strong>
          <span class="soft">
            These pages reach it there.
            {isSaved ? '' : ' Save, or the next reboot brings the old address back.'}
          </span>
        </>
      );
    case 'stayed':
      return fault !== '' ? (
        <>
          <strong>The scanner could not go there</strong>
          <span class="soft">{sentence(fault)}</span>
        </>
      ) : (
        <>
          <strong>The scanner still answers here</strong>
          <span class="soft">
            It has the new settings, but keeps this way in. So does a virtual scanner that was started without
            --network rebind, or on a computer that does not have the new address.
          </span>
        </>
      );
    case 'lost':
      return (
        <>
          <strong>The scanner does not answer{to === undefined ? '' : ` at ${to}`}</strong>
          <span class="soft">
            Does this computer have an address in the same subnet? If the settings were not saved, switch the
            power of the scanner off and on: it has its old address again.
          </span>
        </>
      );
  }
}

/**
 * The scanner left its address. Its own page can only go after it: the browser keeps a page from sending requests to
 * another address.
 */
function Left({ to, since }: { to: string | undefined; since: number }) {
  const link = scanner();
  const goes = to !== undefined && link.gateway === undefined && !link.isOfFleet && isNear(to, link.url);
  const newPage = pageAfterMove(to ?? '');
  useEffect(() => {
    if (!goes) return undefined;
    const timer = setTimeout(() => location.assign(newPage), leavesAfter);
    return () => clearTimeout(timer);
  }, [goes, newPage]);
  if (to === undefined) {
    return (
      <>
        <strong>The scanner has left this address</strong>
        <span class="soft">
          A DHCP server gives it another one. Find it in the list of that server, or with{' '}
          <code>azimuth discover</code>.
        </span>
      </>
    );
  }
  if (link.gateway !== undefined) {
    return (
      <>
        <strong>Looking for the scanner at {to}</strong>
        <span class="soft">
          <Since start={since} /> s so far.
        </span>
        <progress aria-label={`Looking for the scanner at ${to}`} />
      </>
    );
  }
  if (link.isOfFleet) {
    return (
      <>
        <strong>The scanner has left its old address for {to}</strong>
        <span class="soft">
          The fleet goes on asking at the old one. Enter the new one in the file of the fleet.
        </span>
      </>
    );
  }
  return (
    <>
      <strong>The scanner has left this address</strong>
      <span class="soft">
        {goes
          ? 'This page follows it.'
          : 'Its new address is in another network: this computer may need an address there, too.'}
      </span>
      <a class="button" href={newPage}>
        Open {to}
      </a>
    </>
  );
}

/** True if a computer that reaches one address most likely reaches the other one. */
function isNear(to: string, from: string): boolean {
  const network = (url: string) => new URL(url).hostname.split('.').slice(0, 3).join('.');
  return network(to) === network(from);
}
