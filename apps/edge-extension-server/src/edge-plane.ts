/** The role of the one cluster that this app reads, in logs and metrics. */
export const edgePlane = 'edge';
