import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { levelToSave, NeedsLevel, SaveButton } from '../connection/acts.js';
import { isOfSeveral, scanner } from '../connection/current.js';
import { unsavedHere } from '../connection/unsaved-here.js';
import { destinationOf, routeState } from '../data-route/data-destination.js';
import { metricsWatch } from '../data-route/sending.js';
import { discardAll } from '../parameters/unsaved.js';
import { setting } from '../parts/inputs.js';
import { linkTo } from '../parts/route.js';
import { deviceState, StateMark } from '../parts/states.js';
import { Since } from '../parts/texts.js';
import { LoginPanel, wanted } from '../session/login-panel.js';
import { levelsOff } from '../users/level-rights.js';

/**
 * State of a scanner that stays in sight on every page: status, temperature, unsaved changes, destination of the data,
 * login.
 * @param isOpen false on the list of all scanners, where none is open
 */
export function Strip({ isOpen }: { isOpen: boolean }) {
  if (!isOpen) {
    return (
      <section class="strip" aria-label="State of the scanner">
        <span class="soft">No scanner is open. Press one to see its state and to change it.</span>
      </section>
    );
  }
  return (
    <section class="strip" aria-label="State of the scanner">
      <span class="now">
        <Name />
        <ScannerState />
        <Temperature />
        <DataRoute />
      </span>
      <span class="end">
        <span class="unsaved">
          <Unsaved />
        </span>
        <LoggedIn />
      </span>
    </section>
  );
}

/** Choice of the scanner that the strip shows, if there are several. */
function Name() {
  if (!isOfSeveral.value) return null;
  return <strong>{scanner().title.value}</strong>;
}

function ScannerState() {
  const link = scanner();
  const state = link.state.value;
  if (state.kind === 'unreachable') {
    return (
      <span role="alert">
        <StateMark severity="bad">Gone</StateMark>{' '}
        <span class="small">
          for <Since start={state.since} /> s, trying again ({state.why})
        </span>
      </span>
    );
  }
  if (state.kind === 'connecting') return <StateMark severity="idle">Connecting …</StateMark>;
  const { severity, word, advice } = deviceState(link.value('DeviceStatus'));
  return (
    <span title={advice}>
      <StateMark severity={severity}>{word}</StateMark>
      {state.kind === 'polling' && (
        <span
          class="small soft"
          title="This scanner announces no changes here: what is on the screen is read every 3 s."
        >
          {' '}
          read every 3 s
        </span>
      )}
    </span>
  );
}

function Temperature() {
  const celsius = scanner().value('CurrentTempDev');
  if (typeof celsius !== 'number') return null;
  return (
    <span class="temperature">
      {celsius.toFixed(1)}
      <span class="unit">°C</span>
    </span>
  );
}

function Unsaved() {
  const link = scanner();
  const unsaved = link.stored.unsaved.value;
  const busy = useSignal(false);
  if (unsaved === undefined) return link.stored.state.value === 'unavailable' ? <UnsavedHere /> : null;
  if (unsaved.length === 0) return <span class="soft small">Everything is saved</span>;
  return (
    <>
      <a href={linkTo('parameters', 'unsaved')}>{unsaved.length} unsaved</a>
      <button type="button" class="not-on-phone" onClick={() => discardAll(link, busy)} disabled={busy.value}>
        Discard …
      </button>
      <SaveButton link={link} busy={busy} />
      <span class="not-on-phone">
        <NeedsLevel level={levelToSave} />
      </span>
    </>
  );
}

/** In place of the unsaved parameters of a scanner that does not tell them: those that this visit has changed. */
function UnsavedHere() {
  const link = scanner();
  const busy = useSignal(false);
  const isParameter = (name: string) => link.declared(name)?.stored === true;
  const names = unsavedHere(link.history.changes.value, isParameter);
  return (
    <>
      {names.length > 0 && (
        <a
          href={linkTo('changes')}
          title={`This scanner does not tell what is unsaved. This visit has changed ${names.join(', ')}.`}
        >
          {names.length} changed here
        </a>
      )}
      <span class={names.length === 0 ? 'not-on-phone' : ''}>
        <SaveButton link={link} busy={busy} kind={names.length === 0 ? '' : 'main'} />
      </span>
      {names.length > 0 && (
        <span class="not-on-phone">
          <NeedsLevel level={levelToSave} />
        </span>
      )}
    </>
  );
}

function LoggedIn() {
  const link = scanner();
  const { login } = link;
  const open = useSignal(false);
  const waiting = wanted.value;
  const close = (entered: boolean) => {
    open.value = false;
    waiting?.done(entered);
  };
  // The dialog is that of one scanner: it closes on the way to another one.
  useEffect(
    () => () => {
      open.value = false;
      wanted.peek()?.done(false);
    },
    [link, open],
  );
  return (
    <>
      <button type="button" class="login" onClick={setting(open, true)}>
        {login.level === undefined ? (
          login.lost.value === undefined ? (
            'Log in'
          ) : (
            'Log in again'
          )
        ) : (
          <span>
            <span class="soft hidden-on-phone">Logged in as </span>
            {login.level}
          </span>
        )}
      </button>
      {(open.value || waiting !== undefined) && (
        <LoginPanel login={login} needed={waiting?.level} off={levelsOff(link)} close={close} />
      )}
    </>
  );
}

/** Destination of the scan data and whether it gets there, or that the stream is off. */
function DataRoute() {
  const link = scanner();
  const destination = destinationOf(link);
  // Scanners that announce their changes also count the telegrams that they send.
  const tells = destination?.isOn === true && link.state.value.kind === 'live';
  useEffect(() => (tells ? metricsWatch(link).open() : undefined), [link, tells]);
  if (destination === undefined) return null;
  if (!destination.isOn) return <span class="soft">Scan data: off</span>;
  const sending = metricsWatch(link).sending.value;
  const [severity, word, why] = routeState(destination, sending);
  return (
    <span title={why} class={severity === 'good' ? 'not-on-phone' : ''}>
      {severity === 'good' ? (
        <span class="soft">Data →</span>
      ) : (
        <a href={linkTo('data-output')}>
          <StateMark severity={severity}>{word}</StateMark>
        </a>
      )}{' '}
      <span class="not-on-phone">{destination.to}</span>{' '}
      <span class="soft small not-on-phone">
        <span class="format">{destination.format}</span>
        {tells &&
          sending.kind === 'known' &&
          sending.rate !== undefined &&
          ` ${Math.round(sending.rate)}/s, ${sending.sent.refused} refused`}
      </span>
    </span>
  );
}
