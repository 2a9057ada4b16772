export { Restart as default } from '../restart/restart.js';
