import { useSignal } from '@preact/signals';
import { attempt } from '../connection/attempt.js';
import { scanner } from '../connection/current.js';
import { levelToCall } from '../connection/needed-level.js';
import { sendingWatch } from '../data-route/sending.js';
import { StateMark } from '../parts/state-mark.js';
import { linkTo } from '../routing/route.js';
import type { NextStep, Remedy } from './next-step.js';
import { nextSteps } from './next-steps.js';

/** What to do next, each with the button that does it. */
export function StepList() {
  const link = scanner();
  const { login } = link;
  const steps = nextSteps({
    value: (name) => link.value(name),
    isGone: link.state.value.kind === 'gone',
    sending: sendingWatch(link).sending.value,
    unsaved: link.stored.unsaved.value,
    factoryPasswordOf: login.hasFactoryPassword ? login.level : undefined,
  });
  return (
    <section class="steps" aria-labelledby="steps-title">
      <h2 id="steps-title" class="large">
        What to do next
      </h2>
      {steps.length === 0 ? (
        <div class="notice">
          <StateMark severity="good">Nothing to do</StateMark>
          <span>The scanner measures, and everything is saved.</span>
          <a class="button" href={linkTo('live')}>
            See what it sees
          </a>
        </div>
      ) : (
        <ol>
          {steps.map((step) => (
            <Step key={step.id} step={step} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Step({ step: { severity, title, why, remedy } }: { step: NextStep }) {
  return (
    <li class={`step ${severity}`}>
      <div>
        <StateMark severity={severity}>{title}</StateMark>
        <p class="soft">{why}</p>
      </div>
      {remedy !== undefined && <RemedyButton remedy={remedy} />}
    </li>
  );
}

function RemedyButton({ remedy }: { remedy: Remedy }) {
  const link = scanner();
  const busy = useSignal(false);
  if (remedy.kind === 'page') {
    return (
      <a class="button" href={linkTo(remedy.page, encodeURIComponent(remedy.rest))}>
        {remedy.words}
      </a>
    );
  }
  const act = () =>
    remedy.kind === 'save'
      ? attempt(busy, 'AuthorizedClient', () => link.save())
      : attempt(busy, levelToCall(remedy.method), () => link.call(remedy.method.name));
  return (
    <button type="button" class="main" disabled={busy.value} onClick={act}>
      {remedy.words}
    </button>
  );
}
