export { Certificates as default } from '../certificates/certificates.js';
