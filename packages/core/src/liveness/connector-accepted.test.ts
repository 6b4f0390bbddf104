import { describe, expect, it } from 'vitest';
import { acceptedByClass } from './connector-accepted.ts';

describe('acceptedByClass', () => {
  it.each([
    { className: 'tunnel', classExists: true, want: ['True', 'Accepted'] },
    { className: 'tunnel', classExists: false, want: ['False', 'ConnectorClassNotFound'] },
    { className: '', classExists: true, want: ['False', 'Pending'] },
    { className: undefined, classExists: true, want: ['False', 'Pending'] },
    { className: null, classExists: false, want: ['False', 'Pending'] },
  ])('class $className, exists: $classExists → $want', ({ className, classExists, want: [status, reason] }) => {
    expect(acceptedByClass({ className, classExists })).toMatchObject({ type: 'Accepted', status, reason });
  });

  it('names the class that is missing', () => {
    expect(acceptedByClass({ className: 'tunnel', classExists: false }).message).toContain('"tunnel"');
  });
});
