/** A Grafana dashboard out of a table of what is worth seeing. */

export interface Panel {
  readonly title: string;
  /** What it means when it is not as it should be. */
  readonly description: string;
  /** PromQL by legend; `SELECTOR` stands for the matchers of the chosen releases. */
  readonly series: Readonly<Record<string, string>>;
  /** Grafana's: `short`, `s`, `reqps`. */
  readonly unit: string;
}

const columns = 2;
const size = { w: 24 / columns, h: 8 };
const selector = 'namespace=~"$namespace", pod=~"$pod"';

/** @param metric one that every pod has: the choices of the dashboard come from its labels */
export function dashboard(title: string, metric: string, panels: readonly Panel[]): object {
  const datasource = { type: 'prometheus', uid: '${datasource}' };
  const labelOf = (name: string, matchers: string) => ({
    name,
    type: 'query',
    datasource,
    query: `label_values(${metric}${matchers}, ${name})`,
    refresh: 2,
    includeAll: true,
    multi: true,
    current: { text: 'All', value: '$__all' },
  });
  return {
    title,
    uid: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    tags: ['lifeline'],
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', type: 'datasource', query: 'prometheus' },
        labelOf('namespace', ''),
        labelOf('pod', '{namespace=~"$namespace"}'),
      ],
    },
    panels: panels.map(({ title: name, description, series, unit }, index) => ({
      id: index + 1,
      title: name,
      description,
      type: 'timeseries',
      datasource,
      gridPos: { ...size, x: (index % columns) * size.w, y: Math.floor(index / columns) * size.h },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: Object.entries(series).map(([legendFormat, expr], at) => ({
        refId: String.fromCharCode('A'.charCodeAt(0) + at),
        expr: expr.replaceAll('SELECTOR', selector),
        legendFormat,
      })),
    })),
  };
}
