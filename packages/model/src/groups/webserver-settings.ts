import { group, method } from '../declaration.js';
import { boolean } from '../types/enumeration.js';

export const webserverSettings = group('Webserver settings', {
  SetWebserverEnabled: method({
    level: 'AuthorizedClient',
    request: { Enable: boolean(true) },
    text: 'Switches the web server (REST and browser) on or off. This takes effect at the next boot.',
  }),
  GetWebserverEnabled: method({
    level: 'open',
    response: { IsEnabled: boolean(true) },
    text: 'Returns whether the web server will be on after the next boot.',
  }),
});
