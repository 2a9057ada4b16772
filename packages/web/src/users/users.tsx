import { LegacyAccess } from './legacy-access.js';
import { LevelTable } from './level-table.js';
import { PasswordForm } from './password-form.js';
import { WhoAmI } from './who-am-i.js';
import '../style/forms.css';
import '../style/maintain.css';

/** Who may log in, what they may do, and their passwords. */
export function Users() {
  return (
    <div class="content">
      <header class="lead">
        <h1>Users</h1>
        <p class="soft">
          Who may change the scanner. Everybody who reaches it can look; to change something, people log in at
          one of three levels, each with its password.
        </p>
      </header>
      <div class="panels broad">
        <WhoAmI />
        <PasswordForm />
      </div>
      <LevelTable />
      <LegacyAccess />
    </div>
  );
}
