/** What Envoy Gateway makes of the rules of an HTTPRoute. */
import type { HTTPRoute, JsonObject } from '@lifeline/core';
import type { DirectResponse, Route } from './xds.ts';
import { metadataOf } from './xds-metadata.ts';

type Rule = NonNullable<HTTPRoute['spec']['rules']>[number];
type Match = NonNullable<Rule['matches']>[number];
type Filter = NonNullable<Rule['filters']>[number];
type BackendRef = NonNullable<Rule['backendRefs']>[number];

/** The cluster of a rule, and the beginning of those of its backends. */
export const clusterName = (route: HTTPRoute, rule: number): string =>
  `httproute/${route.metadata.namespace ?? ''}/${route.metadata.name}/rule/${rule}`;

/** Several backends, or one with filters of its own, have a cluster each. */
export const hasClusterEach = ({ backendRefs }: Rule): boolean =>
  (backendRefs?.length ?? 0) > 1 || backendRefs?.some(({ filters }) => filters?.length) === true;

/** The routes of one host, the most specific first. */
export function routesOf(route: HTTPRoute, host: string): Route[] {
  const all = (route.spec.rules ?? []).flatMap((rule, index) => {
    const matches = rule.matches?.length ? rule.matches : [{}];
    return matches.map((match, at) => ({
      match,
      route: {
        match: matchOf(match),
        ...actionOf(route, rule, index),
        ...headersOf(rule.filters ?? []),
        metadata: metadataOf(route, 'HTTPRoute', rule.name ?? undefined),
        name: `${clusterName(route, index)}/match/${at}/${host.replaceAll('.', '_')}`,
      },
    }));
  });
  return all.toSorted((a, b) => specificity(b.match) - specificity(a.match)).map((each) => each.route);
}

const specificity = ({ path, headers, queryParams, method }: Match): number =>
  (path?.type === 'Exact' ? 1e6 : 0) +
  (path?.value?.length ?? 1) * 100 +
  (method ? 50 : 0) +
  (headers?.length ?? 0) +
  (queryParams?.length ?? 0);

function matchOf({ path, headers, queryParams, method }: Match): JsonObject {
  const value = path?.value ?? '/';
  const named = [
    ...(method ? [{ name: ':method', string_match: { exact: method } }] : []),
    ...(headers ?? []).map((header) => ({ name: header.name, string_match: stringMatch(header) })),
  ];
  const parameters = (queryParams ?? []).map((each) => ({ name: each.name, string_match: stringMatch(each) }));
  return {
    ...pathOf(path?.type ?? 'PathPrefix', value),
    ...(named.length > 0 && { headers: named }),
    ...(parameters.length > 0 && { query_parameters: parameters }),
  };
}

function pathOf(type: string, value: string): JsonObject {
  if (type === 'Exact') return { path: value };
  if (type === 'RegularExpression') return { safe_regex: { regex: value } };
  return value === '/' ? { prefix: '/' } : { path_separated_prefix: value.replace(/\/$/, '') };
}

const stringMatch = ({ type, value }: { type?: string | null | undefined; value: string }): JsonObject =>
  type === 'RegularExpression' ? { safe_regex: { regex: value } } : { exact: value };

function actionOf(route: HTTPRoute, rule: Rule, index: number): Pick<Route, 'route' | 'redirect' | 'direct_response'> {
  const redirect = rule.filters?.find(({ type }) => type === 'RequestRedirect')?.requestRedirect;
  if (redirect) {
    const path = redirect.path?.replaceFullPath ?? redirect.path?.replacePrefixMatch;
    return {
      redirect: {
        ...(redirect.hostname && { host_redirect: redirect.hostname }),
        ...(path && { path_redirect: path }),
        ...(redirect.scheme && { scheme_redirect: redirect.scheme }),
      },
    };
  }
  const backends = rule.backendRefs ?? [];
  if (backends.length === 0) return { direct_response: nothingThere };
  const name = clusterName(route, index);
  const rewrite = rule.filters?.find(({ type }) => type === 'URLRewrite')?.urlRewrite;
  return {
    route: {
      ...(hasClusterEach(rule)
        ? {
            weighted_clusters: { clusters: backends.map((backend, at) => weighted(`${name}/backend/${at}`, backend)) },
            cluster_not_found_response_code: 'INTERNAL_SERVER_ERROR',
          }
        : { cluster: name }),
      ...(rewrite?.hostname && { host_rewrite_literal: rewrite.hostname }),
      upgrade_configs: [{ upgrade_type: 'websocket' }],
    },
  };
}

const nothingThere: DirectResponse = { status: 500 };

const weighted = (name: string, { weight, filters }: BackendRef): JsonObject => ({
  name,
  weight: weight ?? 1,
  ...headersOf(filters ?? []),
});

function headersOf(filters: readonly Filter[]): { request_headers_to_add?: JsonObject[] } {
  const set = filters.flatMap(({ requestHeaderModifier }) => requestHeaderModifier?.set ?? []);
  if (set.length === 0) return {};
  return {
    request_headers_to_add: set.map(({ name, value }) => ({
      header: { key: name, value },
      append_action: 'OVERWRITE_IF_EXISTS_OR_ADD',
    })),
  };
}
