import { webserverSettings } from '@azimuth/model';
import type { StoredState } from '../parameters/stored-state.js';
import { act, type Room } from '../room.js';

const { SetWebserverEnabled, GetWebserverEnabled } = webserverSettings.members;

/** The switch of the web server. It is stored at once, since it means nothing before the next boot. */
export function webserverSettingsRoom(state: StoredState): Room {
  return {
    acts: [
      act(SetWebserverEnabled, async ({ Enable }) => {
        await state.update((content) => ({ ...content, webserverEnabled: Enable }));
        return {};
      }),
      act(GetWebserverEnabled, () => ({ IsEnabled: state.content.webserverEnabled })),
    ],
  };
}
