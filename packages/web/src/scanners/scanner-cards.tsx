import { isObject } from '@azimuth/model';
import { choose, scanners } from '../connection/current.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { Facts, PageContent, Quantity } from '../parts/panels.js';
import { linkTo } from '../parts/route.js';
import { StateMark } from '../parts/states.js';
import { Since } from '../parts/texts.js';
import { byTrouble, type Condition, conditionOf, summaryOf } from './condition.js';

/** All scanners of `azimuth gui`, those with trouble first. */
export default function ScannerCards() {
  const cards = scanners.value
    .map((link) => ({ link, title: link.title.value, condition: conditionNow(link) }))
    .toSorted(byTrouble);
  return (
    <PageContent title="Scanners">
      <p class="lead">{summaryOf(cards.map(({ condition }) => condition))}</p>
      <ul class="scanner-cards">
        {cards.map(({ link, title, condition }) => (
          <Card key={link.url} link={link} title={title} condition={condition} />
        ))}
      </ul>
    </PageContent>
  );
}

function conditionNow(link: ScannerLink): Condition {
  return conditionOf(
    link.state.value,
    link.value('DeviceStatus'),
    link.value('temperatureAlarmStatus') === true,
  );
}

function Card({ link, title, condition }: { link: ScannerLink; title: string; condition: Condition }) {
  const state = link.state.value;
  const ident = link.value('DeviceIdent');
  const celsius = link.value('CurrentTempDev');
  const { severity, word, advice } = condition;
  return (
    <li class={`panel scanner-card ${severity}`}>
      <h2>
        <a href={linkTo('overview')} onClick={() => choose(link)}>
          {title}
        </a>
      </h2>
      <StateMark severity={severity}>{word}</StateMark>
      {state.kind === 'unreachable' && (
        <p class="soft small">
          For <Since start={state.since} /> s, trying again.
        </p>
      )}
      {state.kind !== 'unreachable' && advice !== '' && <p class="soft small">{advice}</p>}
      <Facts
        kind="small"
        of={[
          ['Address', link.shownAddress],
          ['Serial number', String(link.value('SerialNumber') ?? '…')],
          ['Firmware', isObject(ident) ? String(ident.Version) : '…'],
          [
            'Temperature',
            typeof celsius === 'number' ? <Quantity value={celsius.toFixed(1)} unit="°C" /> : '…',
          ],
        ]}
      />
    </li>
  );
}
