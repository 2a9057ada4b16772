import type { ComponentChildren } from 'preact';
import { scanner } from '../connection/current.js';
import { variableNamed } from '../connection/declarations.js';
import { valueAt } from '../forms/value-path.js';
import { Panel } from '../parts/panels.js';
import type { OutputDraft } from './output-draft.js';
import { enableMember, type Filter, rangeFilters, reductionFilters } from './range-filters.js';
import { regionsIn, whyNothing } from './regions.js';
import { SettingCell, SettingSwitch } from './setting-row.js';

export function FilterPanels({ draft }: { draft: OutputDraft }) {
  const nothing = whyNothing(regionsIn((variable) => draft.valueOf(variable)));
  return (
    <>
      <FilterPanel title="Range filters" draft={draft} filters={rangeFilters}>
        {nothing !== undefined && <p class="notice warn">{nothing} The scanner would send no echo.</p>}
      </FilterPanel>
      <FilterPanel title="Data reduction" draft={draft} filters={reductionFilters} />
    </>
  );
}

/** The filters of a panel that the scanner has. Nothing if it has none of them. */
function FilterPanel({
  title,
  draft,
  filters,
  children,
}: {
  title: string;
  draft: OutputDraft;
  filters: readonly Filter[];
  children?: ComponentChildren;
}) {
  const edition = scanner().edition.value;
  const present = filters.filter(({ variable }) => variableNamed(variable.name, edition) !== undefined);
  if (present.length === 0) return null;
  return (
    <Panel title={title} label={title}>
      {children}
      {present.map((filter) => (
        <FilterRows key={filter.title} filter={filter} draft={draft} />
      ))}
    </Panel>
  );
}

/** The switch of a filter, and its settings while it is on. */
function FilterRows({ filter, draft }: { filter: Filter; draft: OutputDraft }) {
  const { title, effect, variable, members } = filter;
  const isOn = valueAt(draft.valueOf(variable), [enableMember]) === true;
  return (
    <fieldset class="stream" aria-label={title}>
      <div class="stream-head">
        <SettingSwitch draft={draft} setting={{ variable, path: [enableMember], label: title }} />
        <p class="small soft">{effect}</p>
      </div>
      {isOn && (
        <div class="limits">
          {members.map(([member, label]) => (
            <SettingCell key={member} draft={draft} setting={{ variable, path: [member], label }} />
          ))}
        </div>
      )}
    </fieldset>
  );
}
