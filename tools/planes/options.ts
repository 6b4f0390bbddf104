import type { PlaneRole } from '@lifeline/sim';

export interface PlanesOptions {
  readonly projects: number;
  readonly edges: number;
  readonly cells: number;
}

/** A plane to bring up. */
export interface PlannedPlane {
  /** `project-a`, `hub`, `edge-1`: the name of its kubeconfig too. */
  readonly name: string;
  readonly role: PlaneRole;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** `a` … `z`, then `27`, `28` …: what stands behind `project-`. */
const letterOf = (index: number): string => letters[index] ?? String(index + 1);

const numbered = (count: number, make: (index: number) => PlannedPlane): PlannedPlane[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Every plane of a set-up, members of the hub last. */
export const plannedPlanes = ({ projects, edges, cells }: PlanesOptions): readonly PlannedPlane[] => [
  { name: 'management', role: 'management' },
  ...numbered(projects, (index) => ({ name: `project-${letterOf(index)}`, role: 'project' })),
  { name: 'hub', role: 'hub' },
  ...numbered(edges, (index) => ({ name: `edge-${index + 1}`, role: 'edge' })),
  ...numbered(cells, (index) => ({ name: `cell-${index + 1}`, role: 'cell' })),
];
