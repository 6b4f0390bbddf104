/** Test files in the order of their paths, where one looks at what the others have left. */
import { compareTexts } from '@lifeline/core';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

export class PathOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => compareTexts(a.moduleId, b.moduleId));
  }
}
