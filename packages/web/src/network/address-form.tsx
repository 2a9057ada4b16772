import { ethernet, sameJson } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt, mayNow, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { levelToWrite } from '../connection/declarations.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { type RefusedValue, refusalBy } from '../forms/refusal.js';
import { Member } from '../forms/value-control.js';
import { confirmed, tellFailure } from '../parts/dialogs.js';
import { addressSettings, applyPlan, changesOf, consequenceOf, doubtsAbout, planOf } from './address-plan.js';

const level = levelToWrite(ethernet.members.EtherIPAddress);

/**
 * The address and the settings that belong to it. They are edited together, because the scanner puts them into force
 * together.
 */
export function AddressForm() {
  const link = scanner();
  const draft = useSignal<Readonly<Record<string, unknown>>>({});
  const refusals = useSignal<ReadonlyMap<string, RefusedValue>>(new Map());
  const busy = useSignal(false);
  const working = planOf((name) => link.value(name));
  const plan = { ...working, ...draft.value };
  const changes = changesOf(working, plan);
  const mayWrite = link.login.mayAs(level);

  const apply = async (event: Event) => {
    event.preventDefault();
    const changed = addressSettings.flatMap(([variable]) => {
      const refusal = refusalBy(variable, plan[variable.name]);
      return refusal === undefined ? [] : [[variable.name, refusal] as const];
    });
    refusals.value = new Map(changed);
    if (changed.length > 0) return;
    if (await isAimed(link)) {
      tellFailure(
        'The scan data of this scanner was directed to this computer. Restore its destination first: it could not be restored at another address.',
      );
      return;
    }
    const question = {
      title: changes.length === 0 ? 'Apply the network settings?' : 'Change the network settings?',
      text: consequenceOf(link, plan),
      lines: [...changes, ...doubtsAbout(plan)],
      act: 'Apply',
      danger: doubtsAbout(plan).length > 0,
    };
    if (!(await mayNow(level)) || !(await confirmed(question))) return;
    const done = await attempt(busy, level, () => applyPlan(link, plan));
    if (done) draft.value = {};
  };

  return (
    <form class="panel address-form" aria-label="Address" onSubmit={apply}>
      <h2>Address</h2>
      {addressSettings.map(([variable, label]) => (
        <Member
          key={variable.name}
          title={variable.facts.text}
          shape={variable.type.shape}
          value={plan[variable.name]}
          onChange={(value) => {
            draft.value = { ...draft.value, [variable.name]: value };
          }}
          label={label}
          refusal={refusals.value.get(variable.name)}
          readOnly={!mayWrite}
        />
      ))}
      {doubtsAbout(plan).map((doubt) => (
        <p class="notice warn" key={doubt}>
          {doubt}
        </p>
      ))}
      <Unsaved link={link} />
      <div class="row">
        <NeedsLevel level={level} />
        {mayWrite && (
          <button type="submit" class={changes.length > 0 ? 'main' : ''} disabled={busy.value}>
            Apply …
          </button>
        )}
        {changes.length > 0 && (
          <button
            type="button"
            onClick={() => {
              draft.value = {};
              refusals.value = new Map();
            }}
          >
            Cancel
          </button>
        )}
      </div>
    </form>
  );
}

/** Returns those of these settings that a reboot takes back. */
function Unsaved({ link }: { link: ScannerLink }) {
  const stored = planOf((name) => link.stored.valueOf(name));
  const working = planOf((name) => link.value(name));
  const isKnown = Object.values(stored).some((value) => value !== undefined);
  if (!isKnown || sameJson(stored, working)) return null;
  return (
    <p class="small soft">Not saved. The next reboot changes {changesOf(working, stored).join('; ')}.</p>
  );
}

/** True if `azimuth gui` has to restore the destination of the scan data later. */
async function isAimed({ gateway }: ScannerLink): Promise<boolean> {
  try {
    const data = await gateway?.readState();
    return data?.state === 'receiving' && data.aimed;
  } catch {
    return false;
  }
}
