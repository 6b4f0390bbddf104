import { deepFreeze } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { admission, type AdmissionOptions, type Admitted } from './admission.ts';
import { Widget, widget } from './widget.fixture.ts';

const admit = (sent: Widget, options?: AdmissionOptions, kind = Widget): Admitted<Widget> => {
  const { shaped, judge } = admission(kind, options);
  return judge(shaped(sent));
};

const withMetadata = (extra: object): Widget => {
  const object = widget('a', 1);
  return { ...object, metadata: { ...object.metadata, ...extra } };
};

describe('admission', () => {
  it('passes a sound object on as it is, unknown fields and all', () => {
    const sent = { ...widget('a', 1), future: { field: [1] } } as Widget;
    expect(admit(sent)).toEqual({ is: 'sound', object: sent });
    expect(admit(sent).object).toBe(sent);
  });

  it('drops managedFields without touching the object that was sent', () => {
    const sent = deepFreeze(withMetadata({ managedFields: [{ manager: 'x' }], labels: { l: '1' } }));
    const { is, object } = admit(sent);
    expect(is).toBe('sound');
    expect(object).toEqual(withMetadata({ labels: { l: '1' } }));
    expect(sent.metadata.managedFields).toHaveLength(1);
    expect(admit(sent, { keepManagedFields: true }).object).toBe(sent);
  });

  it('names a list item that came without apiVersion and kind, as built-in kinds do', () => {
    const { apiVersion: _a, kind: _k, ...bare } = widget('a', 1);
    expect(admit(bare as Widget).object).toEqual(widget('a', 1));
  });

  it.each([
    { name: 'wrong spec', sent: widget('a', 1, { size: 'big' }), reason: /^spec\.size: / },
    { name: 'another kind', sent: { ...widget('a', 1), kind: 'Gadget' }, reason: /^kind: / },
  ])('holds $name as malformed, with its metadata and nothing else', ({ sent, reason }) => {
    const admitted = admit(sent);
    if (admitted.is === 'sound') throw new Error('admitted');
    expect(admitted.reason).toMatch(reason);
    expect(admitted.object).toEqual({ apiVersion: sent.apiVersion, kind: sent.kind, metadata: sent.metadata });
  });

  it('reduces metadata that is wrong itself to name and versions', () => {
    const admitted = admit(withMetadata({ labels: { a: 1 } }));
    if (admitted.is === 'sound') throw new Error('admitted');
    expect(admitted.object.metadata).toEqual(widget('a', 1).metadata);
    expect(admitted.reason).toContain('metadata.labels.a');
  });

  it('takes a schema that throws for one that refuses', () => {
    const kind = {
      ...Widget,
      schema: Widget.schema.refine(() => {
        throw new Error('bug');
      }),
    };
    expect(admit(widget('a', 1), {}, kind)).toMatchObject({ reason: expect.stringContaining('bug') });
  });

  it('checks metadata alone when only that was asked for', () => {
    const { spec: _s, ...metadataOnly } = widget('a', 1, { size: 'big' });
    expect(admit(metadataOnly as Widget, { metadataOnly: true }).object).toBe(metadataOnly);
    expect(admit(withMetadata({ labels: { a: 1 } }), { metadataOnly: true }).is).toBe('malformed');
  });

  it('freezes to the bottom when told to, and only then', () => {
    const { object } = admit(withMetadata({ labels: { l: '1' } }), { freeze: true });
    expect(() => Object.assign(object.metadata.labels ?? {}, { l: '2' })).toThrow(TypeError);
    expect(Object.isFrozen(admit(widget('a', 1)).object)).toBe(false);
  });
});
