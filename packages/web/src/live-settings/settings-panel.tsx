import { contaminationIndication, sameJson, sectorStates, type Variable } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { attempt, NeedsLevel } from '../connection/acts.js';
import { choose, openScanner } from '../connection/current.js';
import { knownValue, levelToWrite, variableNamed } from '../connection/declarations.js';
import { ofEachScanner, type ScannerLink } from '../connection/scanner-link.js';
import { differences } from '../forms/differences.js';
import { ParameterForm } from '../forms/parameter-form.js';
import { spokenPlace } from '../forms/spoken-name.js';
import type { WriteVariable } from '../forms/value-draft.js';
import { SectorRing } from '../overview/sector-ring.js';
import { screenText } from '../overview/words.js';
import { Choice } from '../parts/inputs.js';
import { StateMark } from '../parts/states.js';
import { type Section, sectionsOf, titleOf } from './sections.js';
import { type SettingChange, SettingChanges } from './setting-changes.js';
import '../style/live-settings.css';

const { ContaminationConfig, ContaminationData, ContaminationResult } = contaminationIndication.members;

/** The changes that were made here. They stay while another scanner or another page is shown. */
const changesOf = ofEachScanner(() => new SettingChanges());

/** The level of nearly all of these settings. */
const usualLevel = levelToWrite(ContaminationConfig);

interface Properties {
  /** The scanners in sight. */
  readonly links: readonly ScannerLink[];
  readonly close: () => void;
  /** True while the scans before and after a change are compared: the numbers of the effect change until its end. */
  readonly isComparing: boolean;
  /** Changes a setting of a scanner so that the scan before and after can be compared. */
  readonly changed: (link: ScannerLink, name: string, change: () => Promise<void>) => Promise<void>;
  /** Stands at the mounting position. */
  readonly placing: ComponentChildren;
  /** The effect of the last change in words. */
  readonly children: ComponentChildren;
}

/** The settings of the open scanner that its scan shows at once. */
export function SettingsPanel({ links, close, children, ...rest }: Properties) {
  const link = openScanner.value;
  return (
    <section class="live-settings" aria-label="Settings">
      <header class="row between">
        <h2>Settings</h2>
        <button type="button" class="plain" onClick={close} aria-label="Close the settings">
          ✕
        </button>
      </header>
      {links.length > 1 && <ScannerChoice links={links} link={link} />}
      {link === undefined ? (
        <p class="soft">None of them is open: choose whose settings are shown.</p>
      ) : (
        <>
          <NeedsLevel level={usualLevel} />
          <Settings key={link.url} link={link} {...rest}>
            {children}
          </Settings>
        </>
      )}
    </section>
  );
}

function ScannerChoice({ links, link }: { links: readonly ScannerLink[]; link: ScannerLink | undefined }) {
  const all = link === undefined || links.includes(link) ? links : [link, ...links];
  return (
    <Choice
      words={<span class="soft small">Of scanner</span>}
      kind="stacked"
      value={link === undefined ? -1 : all.indexOf(link)}
      options={[
        ...(link === undefined ? [[-1, 'none yet'] as const] : []),
        ...all.map((one, index) => [index, one.title.value] as const),
      ]}
      choose={(index) => {
        const chosen = all[index];
        if (chosen !== undefined) choose(chosen);
      }}
    />
  );
}

function Settings({
  link,
  isComparing,
  changed,
  placing,
  children,
}: Omit<Properties, 'links' | 'close'> & { link: ScannerLink }) {
  const changes = changesOf(link);
  const edition = link.edition.value;
  if (edition === undefined) return <p class="soft">Asking the scanner what it has …</p>;
  const present = sectionsOf((variable) => variableNamed(variable.name, edition) !== undefined);
  const write: WriteVariable = async (name, to) => {
    const from = link.value(name);
    await changed(link, name, () => link.write(name, to));
    changes.add({ name, from, to });
  };
  return (
    <>
      <LastChange link={link} undoable={changes} isComparing={isComparing} changed={changed}>
        {children}
      </LastChange>
      {present.map((section, index) => (
        <details key={section.title} class="panel" name="live-settings" open={index === 0}>
          <summary>
            <h3>{section.title}</h3>
            <Unsaved link={link} section={section} />
          </summary>
          <div class="parameters">
            {section.title === 'Contamination' && <ScreenState link={link} />}
            {section.settings.map(([{ name }, label]) => (
              <ParameterForm
                key={name}
                name={name}
                label={label}
                requestedLevel={usualLevel}
                opened
                write={write}
              />
            ))}
            {section.title === 'Mounting' && placing}
          </div>
        </details>
      ))}
    </>
  );
}

/** Number of settings of a section that a reboot would change. */
function Unsaved({ link, section }: { link: ScannerLink; section: Section }) {
  const unsaved = link.stored.unsaved.value ?? [];
  const count = section.settings.filter(([{ name }]) => unsaved.includes(name)).length;
  return count === 0 ? null : <span class="small unsaved">{count} unsaved</span>;
}

/** The last change that was made here, its effect, and the way back. */
function LastChange({
  link,
  undoable,
  isComparing,
  changed,
  children,
}: Pick<Properties, 'isComparing' | 'changed' | 'children'> & {
  link: ScannerLink;
  undoable: SettingChanges;
}) {
  const busy = useSignal(false);
  const { last } = undoable;
  const variable = variableNamed(last?.name ?? '', link.edition.value);
  const undo = async () => {
    if (last === undefined || variable === undefined) return;
    const write = () => changed(link, last.name, () => link.write(last.name, last.from));
    if (await attempt(busy, levelToWrite(variable), write)) undoable.drop(last);
  };
  const isOwn = last !== undefined && sameJson(link.value(last.name), last.to);
  return (
    <div class="last-change" role="status" aria-busy={isComparing}>
      {children}
      {last !== undefined && variable !== undefined && (
        <>
          <p class="small soft">
            {titleOf(last.name)}: {changeText(variable, last)}
          </p>
          {isOwn ? (
            <button type="button" disabled={busy.value} onClick={undo}>
              Undo
            </button>
          ) : (
            <p class="small soft">Somebody else has changed it since.</p>
          )}
        </>
      )}
    </div>
  );
}

/** The parts of a setting that a change concerns, with both values. */
function changeText(variable: Variable<unknown>, { from, to }: SettingChange): string {
  return differences(variable.type.shape, from, to, (member) => variable.unitOf(member))
    .map(({ at, from: before, to: after }) => `${spokenPlace(at)} ${before} → ${after}`.trim())
    .join(', ');
}

/** The front screen now: its sectors, and whether the scanner warns. */
function ScreenState({ link }: { link: ScannerLink }) {
  const data = knownValue(link, ContaminationData);
  const result = knownValue(link, ContaminationResult);
  if (data === undefined) return null;
  const sectors = sectorStates(data, knownValue(link, ContaminationConfig));
  return (
    <div class="screen-state">
      <svg class="screen-wheel" viewBox="-92 -92 184 164" role="img" aria-label={screenText(sectors)}>
        <SectorRing sectors={sectors} inner={52} outer={84} />
      </svg>
      <div>
        {result?.bErrorActive === true ? (
          <StateMark severity="bad">Error: too much dirt</StateMark>
        ) : (
          result?.bWarningActive === true && <StateMark severity="warn">Warning: dirt</StateMark>
        )}
        <p class="small soft">{screenText(sectors)}</p>
      </div>
    </div>
  );
}
