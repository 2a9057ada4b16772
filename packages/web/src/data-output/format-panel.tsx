import { legacyProtocols, measurementDataOutput, ScanDataFormat } from '@azimuth/model';
import { scanner } from '../connection/current.js';
import { enumerationWords } from '../forms/value-text.js';
import { Panel } from '../parts/panels.js';
import { linkTo } from '../parts/route.js';
import { formatOf, formatsOf, settingsOf } from './formats.js';
import type { OutputDraft } from './output-draft.js';
import { SettingRow } from './setting-row.js';

const { ScanDataFormat: format } = measurementDataOutput.members;

/** The choice of the format of scan data, and the settings that count for it. */
export function FormatPanel({ draft }: { draft: OutputDraft }) {
  const { edition } = scanner();
  const chosen = draft.valueOf(format);
  const words = enumerationWords(ScanDataFormat);
  const refusal = draft.refusals.value.get(format.name);
  const settings = settingsOf(formatOf(chosen) ?? { settings: [] }, edition.value);
  return (
    <Panel title="Format of scan data" label="Format of scan data">
      <fieldset class="spaced" aria-label="Format">
        {formatsOf(edition.value, chosen).map(({ number, purpose }) => (
          <label class="format-choice" key={number}>
            <input
              type="radio"
              name="scan-data-format"
              checked={number === chosen}
              onChange={() => draft.edit(format, number)}
            />
            <span>
              <strong>{words.get(number)}</strong>
              <span class="small soft">{purpose}</span>
            </span>
          </label>
        ))}
        {refusal !== undefined && (
          <p class="refusal" role="alert">
            {refusal.reason}
          </p>
        )}
      </fieldset>
      {settings.length > 0 && (
        <fieldset class="spaced" aria-label={`Settings of ${words.get(Number(chosen)) ?? 'this format'}`}>
          {settings.map((setting) => (
            <SettingRow key={setting.label} draft={draft} setting={setting} />
          ))}
          {settings.some(({ variable }) => variable.group === legacyProtocols.name) && (
            <p class="small soft">
              The interfaces and their ports change only when the network settings are put into force, on the
              page <a href={linkTo('network')}>Network</a>.
            </p>
          )}
        </fieldset>
      )}
      {settings.length === 0 && chosen !== undefined && (
        <p class="small soft">On this scanner, this format has no settings of its own.</p>
      )}
      <a class="small" href={linkTo('parameters', format.name)}>
        All parameters of the data output
      </a>
    </Panel>
  );
}
