export { Users as default } from '../users/users.js';
