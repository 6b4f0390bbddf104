import { describe, expect, it } from 'vitest';
import { namesKnownType, negotiate } from './negotiate.ts';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

describe('negotiate', () => {
  it.each([
    [undefined, 'json Object'],
    ['', 'json Object'],
    ['*/*', 'json Object'],
    ['application/*', 'json Object'],
    ['text/html,*/*;q=0.1', 'json Object'],
    ['application/yaml', 'yaml Object'],
    ['application/json;q=0.1,application/yaml', 'yaml Object'],
    ['*/*,application/yaml', 'yaml Object'],
    ['application/vnd.kubernetes.protobuf,application/json', 'json Object'],
    [`${table},application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json`, 'json Table v1'],
    ['application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json', 'json Table v1beta1'],
    [`${table};q=0.9,application/json`, 'json Object'],
    ['application/json; as=Table; g=meta.k8s.io; v=v1', 'json Table v1'],
    ['application/json;as=Table;v=v2;g=meta.k8s.io,application/json', 'json Object'],
    ['application/json;as=Table;v=v1;g=other,application/yaml', 'yaml Object'],
    ['application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1', 'json PartialObjectMetadata v1'],
    [
      'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
      'json PartialObjectMetadataList v1',
    ],
    ['application/json;stream=watch', 'json Object'],
    ['application/json;pretty=1', 'json pretty Object'],
    ['application/yaml;as=;g=;v=', 'yaml Object'],
    ['application/json;sv=1', 'none'],
    ['application/json;as=Pod;v=v1;g=meta.k8s.io', 'none'],
    ['application/json;as=Table', 'none'],
    ['application/vnd.kubernetes.protobuf', 'none'],
    ['text/html', 'none'],
  ])('%s: %s', (accept, expected) => {
    const form = negotiate(accept);
    const { encoding, pretty, as, version } = form ?? {};
    const said = [encoding, pretty ? 'pretty' : '', as, as === 'Object' ? '' : version];
    expect(form ? said.filter((part) => part).join(' ') : 'none').toBe(expected);
  });
});

describe('namesKnownType', () => {
  it.each([
    [undefined, true],
    ['application/json;as=Pod', true],
    ['text/html', false],
    ['application/*', false],
    ['*', false],
    ['application/*, application/yaml;q=0.1', true],
    ['text/html,*/*', true],
  ])('%s: %s', (accept, expected) => {
    expect(namesKnownType(accept)).toBe(expected);
  });
});
