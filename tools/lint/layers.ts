/**
 * Which layer may import which: the tag `layer:…` in a project's package.json. Tests are no exception, and nothing but e2e and the tools
 * may import an app.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  core: [],
  k8s: ['core'],
  server: ['core'],
  shared: ['core', 'k8s'],
  testbed: ['core', 'k8s', 'server', 'shared', 'testbed'],
  app: ['core', 'k8s', 'shared'],
  e2e: ['*'],
  tool: ['*'],
};

/** The table as `@nx/enforce-module-boundaries` takes it. */
export const depConstraints = Object.entries(layers).map(([layer, may]) => ({
  sourceTag: `layer:${layer}`,
  onlyDependOnLibsWithTags: may.map((name) => (name === '*' ? name : `layer:${name}`)),
}));

/** What of nx's project graph the boundaries are read from. */
export interface ProjectGraph {
  readonly nodes: Readonly<
    Record<string, { readonly data: { readonly tags?: readonly string[]; readonly targets?: object } }>
  >;
  readonly dependencies: Readonly<Record<string, readonly { readonly target: string }[]>>;
}

/**
 * What the lint rule cannot see: a project with no layer or two, one that nothing lints, and a dependency (in a package.json too) that
 * the table forbids. One sentence each.
 */
export function boundaryFaults(graph: ProjectGraph): string[] {
  const layersOf = (project: string): string[] =>
    (graph.nodes[project]?.data.tags ?? [])
      .filter((tag) => tag.startsWith('layer:'))
      .map((tag) => tag.slice('layer:'.length));
  const faults: string[] = [];
  for (const [project, { data }] of Object.entries(graph.nodes)) {
    const [layer = '', ...more] = layersOf(project);
    const may = layers[layer];
    if (!may || more.length > 0) {
      faults.push(`${project} needs exactly one tag layer:… of ${Object.keys(layers).join(', ')}`);
      continue;
    }
    if (!data.targets || !('lint' in data.targets)) faults.push(`${project} has no lint target: nothing lints it`);
    for (const { target } of graph.dependencies[project] ?? []) {
      if (!graph.nodes[target] || target === project || may.includes('*')) continue;
      if (!layersOf(target).every((other) => may.includes(other))) {
        faults.push(`${project} (layer ${layer}) depends on ${target} (layer ${layersOf(target).join(', ')})`);
      }
    }
  }
  return faults;
}
