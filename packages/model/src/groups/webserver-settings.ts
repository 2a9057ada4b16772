import { group, method } from '../declaration.js';
import { boolean } from '../types/enumeration.js';

export const webserverSettings = group('Webserver settings', {
  SetWebserverEnabled: method({
    level: 'AuthorizedClient',
    request: { Enable: boolean(true) },
    text: 'Switches the web server (REST and browser) on or off from the next boot on.',
  }),
  GetWebserverEnabled: method({
    level: 'open',
    response: { IsEnabled: boolean(true) },
    text: 'Tells whether the web server is to run after the next boot.',
  }),
});
