import { encodeCluster, isDnsLabel } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { otherNamespace, scrubber } from './scrub.ts';

const uid = '1b4e28ba-2fa1-11d2-883f-0016d3cca427';
const other = '9c858901-8a57-4791-81fe-4c455b099bc9';
const names = { mapped: `ns-${uid}`, namespace: 'default', cluster: 'org-a/p1' };
const scrub = scrubber(names);

describe('scrubber', () => {
  it.each([
    { text: 'all is well', want: 'all is well' },
    { text: `Secret ns-${uid}/key not found`, want: 'Secret default/key not found' },
    { text: `httproute/ns-${uid}/web/rule/0`, want: 'httproute/default/web/rule/0' },
    { text: `envoy-ns-${uid}-web-1a2b`, want: 'envoy-default-web-1a2b' },
    { text: `web.ns-${uid}.svc.cluster.local`, want: 'web.default.svc.cluster.local' },
    { text: `taken by ns-${other}/web and ns-${uid}/web`, want: 'taken by another-namespace/web and default/web' },
    { text: `NS-${other.toUpperCase()}`, want: 'another-namespace' },
    { text: `columns-${uid}`, want: `columns-${uid}` },
    { text: `owned by anchor-${other}`, want: 'owned by an-internal-object' },
    { text: 'in cluster-org-a_p1.', want: 'in org-a/p1.' },
    { text: 'in cluster-_org-a_p1', want: 'in org-a/p1' },
    { text: 'in cluster-org-a_p10, cluster-org-b_p1.', want: 'in another-project, another-project.' },
    { text: 'in cluster-org-a_p1-x', want: 'in another-project' },
    { text: 'in cluster-a-very-long-name-0123456789', want: 'in another-project' },
    { text: 'cluster-scoped, cluster-wide, my cluster-a', want: 'cluster-scoped, cluster-wide, my cluster-a' },
  ])('$text', ({ text, want }) => {
    expect(scrub(text)).toBe(want);
  });

  it('a namespace without the form of a uid is found by its name', () => {
    expect(scrubber({ ...names, mapped: 'ns-u.1' })('ns-u.1/a ns-ux1/a')).toBe('default/a ns-ux1/a');
  });

  it('replacements are taken literally, and nothing is replaced where there is no name', () => {
    expect(scrubber({ ...names, namespace: '$&' })(`ns-${uid}`)).toBe('$&');
    expect(scrubber({ mapped: '', namespace: 'default', cluster: '' })('a b')).toBe('a b');
  });

  it('what stands for a namespace is a valid one', () => {
    expect(isDnsLabel(otherNamespace)).toBe(true);
  });

  it('no uid of a namespace and no label of a cluster with an organisation comes through; twice is once', () => {
    const word = fc.constantFrom('a', ' ', '/', '-', '.', ':', `ns-${uid}`, `ns-${other}`, 'cluster-org-b_p', 'web');
    const cluster = fc
      .tuple(fc.stringMatching(/^[a-z]{1,9}$/), fc.stringMatching(/^[a-z0-9]{1,9}$/))
      .map((parts) => parts.join('/'));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12, size: 'max' }), cluster, (words, name) => {
        const once = scrubber({ ...names, cluster: name });
        const text = once(`${words.join('')} ${encodeCluster(name)?.label} `);
        // Glued to a word before it, it is none of our names.
        const loose = words.join('').replaceAll(/(?<=[a-z0-9])(?:ns|cluster)-/g, '');
        if (loose === words.join('')) {
          expect(text).not.toContain(uid);
          expect(text).not.toContain(other);
          expect(text).not.toContain('cluster-');
        }
        expect(once(text)).toBe(text);
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});
