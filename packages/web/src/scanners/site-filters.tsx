import { type SiteList, siteSeverities } from '@azimuth/http/site';
import type { ComponentChildren } from 'preact';
import { StateMark } from '../parts/states.js';
import { severityWords } from './row-words.js';
import { siteView } from './site-view.js';

/** On a phone, the filters are closed at first. */
const isPhone = () => matchMedia('(max-width: 720px)').matches;

/** Chooses which scanners are listed: by words, by severity, by group. */
export function SiteFilters({ list: { total, severities, groups } }: { list: SiteList }) {
  const group = siteView.group.value;
  const severity = siteView.severity.value;
  const hasGroups = groups.some(({ name }) => name !== '');
  return (
    <details class="site-filters" open={!isPhone()}>
      <summary>{siteView.isFiltered ? 'Filter: some are left out' : 'Filter'}</summary>
      <input
        type="search"
        aria-label="Filter scanners"
        placeholder="Name, trouble …"
        value={siteView.typed.value}
        onInput={({ currentTarget }) => siteView.type(currentTarget.value)}
      />
      <fieldset aria-label="Severity">
        <h2>State</h2>
        <Line isChosen={severity === undefined} choose={() => siteView.showSeverity(undefined)} count={total}>
          All
        </Line>
        {siteSeverities.map((one) => (
          <Line
            key={one}
            isChosen={severity === one}
            choose={() => siteView.showSeverity(severity === one ? undefined : one)}
            count={severities[one]}
          >
            <StateMark severity={one}>{severityWords[one]}</StateMark>
          </Line>
        ))}
      </fieldset>
      {hasGroups && (
        <fieldset aria-label="Group">
          <h2>Group</h2>
          <Line isChosen={group === undefined} choose={() => siteView.showGroup(undefined)} count={total}>
            All
          </Line>
          {groups.map(({ name, scanners, trouble }) => (
            <Line
              key={name}
              isChosen={group === name}
              choose={() => siteView.showGroup(group === name ? undefined : name)}
              count={scanners}
              trouble={trouble}
            >
              {name === '' ? <span class="soft">No group</span> : <span class="name">{name}</span>}
            </Line>
          ))}
        </fieldset>
      )}
    </details>
  );
}

/** One of several filters, with the number of scanners that it leaves. */
function Line({
  isChosen,
  choose,
  count,
  trouble = 0,
  children,
}: {
  isChosen: boolean;
  choose: () => void;
  count: number;
  trouble?: number;
  children: ComponentChildren;
}) {
  return (
    <button type="button" class="plain" aria-pressed={isChosen} onClick={choose}>
      {children}
      <span class="count small">
        {trouble > 0 && <span class="in-trouble">{trouble} of </span>}
        {count}
      </span>
    </button>
  );
}
