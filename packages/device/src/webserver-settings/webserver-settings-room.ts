import { webserverSettings } from '@azimuth/model';
import type { StoredState } from '../parameters/stored-state.js';
import { act, type Room } from '../room.js';

const { SetWebserverEnabled, GetWebserverEnabled } = webserverSettings.members;

/** Stores the switch of the web server at once, since it means nothing before the next boot. */
export async function storeWebserverEnabled(state: StoredState, enabled: boolean): Promise<void> {
  await state.update((content) => ({ ...content, webserverEnabled: enabled }));
}

/** Asking for, and setting, the switch of the web server. */
export function webserverSettingsRoom(state: StoredState): Room {
  return {
    acts: [
      act(SetWebserverEnabled, async ({ Enable }) => {
        await storeWebserverEnabled(state, Enable);
        return {};
      }),
      act(GetWebserverEnabled, () => ({ IsEnabled: state.content.webserverEnabled })),
    ],
  };
}
