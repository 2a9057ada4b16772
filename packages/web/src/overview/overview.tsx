import { Act, SaveButton } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { PageContent } from '../parts/panels.js';
import { DevicePicture } from './device-picture.js';
import { Identity, Measuring, Operation, PortsBrief } from './facts.js';
import { Temperature } from './temperature.js';
import '../style/overview.css';
import { levelToCall } from '../connection/declarations.js';
import { metricsWatch } from '../data-route/sending.js';
import { linkTo } from '../parts/route.js';
import { StateMark } from '../parts/states.js';
import { type NextStep, nextSteps, type Remedy } from './next-steps.js';

export default function Overview() {
  return (
    <PageContent title={scanner().title.value}>
      <p class="lead">How the scanner is now, and what needs you.</p>
      <StepList />
      <div class="overview-grid">
        <DevicePicture />
        <Temperature />
      </div>
      <div class="overview-columns">
        <PortsBrief />
        <Measuring />
        <Operation />
        <Identity />
      </div>
    </PageContent>
  );
}

function StepList() {
  const link = scanner();
  const { login } = link;
  const steps = nextSteps({
    value: (name) => link.value(name),
    isUnreachable: link.state.value.kind === 'unreachable',
    sending: metricsWatch(link).sending.value,
    unsaved: link.stored.unsaved.value,
    factoryPasswordOf: login.hasFactoryPassword ? login.level : undefined,
  });
  return (
    <section class="spaced steps" aria-labelledby="steps-title">
      <h2 id="steps-title" class="large">
        What to do next
      </h2>
      {steps.length === 0 ? (
        <div class="notice">
          <StateMark severity="good">Nothing to do</StateMark>
          <span>
            The scanner measures{link.stored.unsaved.value === undefined ? '' : ', and everything is saved'}.
          </span>
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
  if (remedy.kind === 'page') {
    return (
      <a class="button" href={linkTo(remedy.page, encodeURIComponent(remedy.rest))}>
        {remedy.words}
      </a>
    );
  }
  return remedy.kind === 'save' ? (
    <SaveButton link={link}>{remedy.words}</SaveButton>
  ) : (
    <Act kind="main" level={levelToCall(remedy.method)} act={() => link.call(remedy.method.name)}>
      {remedy.words}
    </Act>
  );
}
