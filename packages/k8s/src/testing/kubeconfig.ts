/** A kubeconfig with one context: this server, with a bearer token. */
export const kubeconfig = (server: string, token = 't'): string =>
  JSON.stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server } }],
    users: [{ name: 'u', user: { token } }],
  });
