/** A route whose connector is not online: it answers for it. */
import { edgeDefaults } from '@lifeline/core';
import type { Cursor } from '../wire/cursor.ts';
import { message, type Writer } from '../wire/writer.ts';
import {
  appendAction,
  dataSource,
  directResponseAction,
  headerValue,
  headerValueOption,
  route as routeFields,
} from './envoy-fields.ts';
import { rewrite } from './rewrite.ts';
import type { EditorSettings } from './settings.ts';

/** Of these a route has one. */
const actionFields: ReadonlySet<number> = new Set([
  routeFields.route,
  routeFields.redirect,
  routeFields.directResponse,
  routeFields.filterAction,
  routeFields.nonForwardingAction,
]);

/** The fields that an offline route has in place of its action. */
export const offlineFields = ({ offlineBody, retryAfterSeconds }: EditorSettings): Uint8Array =>
  message((out) => {
    out.begin(routeFields.directResponse);
    out.uint(directResponseAction.status, edgeDefaults.offlineStatus);
    out.begin(directResponseAction.body);
    out.text(dataSource.inlineString, offlineBody);
    out.end();
    out.end();
    out.begin(routeFields.responseHeadersToAdd);
    out.begin(headerValueOption.header);
    out.text(headerValue.key, 'retry-after');
    out.text(headerValue.value, String(retryAfterSeconds));
    out.end();
    out.uint(headerValueOption.appendAction, appendAction.overwriteIfExistsOrAdd);
    out.end();
  });

/** Writes the fields of a route: match, metadata, per-filter configuration and header operations stay. */
export function writeOfflineRoute(out: Writer, message: Cursor, offline: Uint8Array): void {
  rewrite(out, message, ({ field }) => actionFields.has(field));
  out.raw(offline);
}
