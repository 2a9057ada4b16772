import { scanner } from '../connection/current.js';
import { StateMark } from '../parts/state-mark.js';
import { purposes } from '../session/level-purposes.js';
import { loginWanted } from '../session/login-wanted.js';

/** The present login of this browser. */
export function WhoAmI() {
  const { login } = scanner();
  const { level } = login;
  return (
    <section class="panel">
      <h2>You</h2>
      {level === undefined ? (
        <>
          <StateMark severity="idle">Not logged in</StateMark>
          <p class="soft">You can look at everything, and change nothing.</p>
        </>
      ) : (
        <>
          <StateMark severity="good">{`Logged in as ${level}`}</StateMark>
          <p class="soft">This level: {purposes[level]}.</p>
        </>
      )}
      {login.hasFactoryPassword && (
        <p class="notice warn" role="status">
          You logged in with the factory password. It is public: change it.
        </p>
      )}
      <div class="row">
        <button type="button" class={level === undefined ? 'main' : ''} onClick={() => loginWanted()}>
          {level === undefined ? 'Log in …' : 'Log in at another level …'}
        </button>
        {level !== undefined && (
          <button type="button" onClick={() => login.leave()}>
            Log out
          </button>
        )}
      </div>
    </section>
  );
}
