export { groupsOfRole, kindsOfRole, type PlaneRole } from './plane-roles.ts';
