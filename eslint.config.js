import { createRequire } from 'node:module';
import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import importPlugin from 'eslint-plugin-import';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { depConstraints } from './tools/lint/layers.ts';
import { restrictions } from './tools/lint/restrictions.ts';

const require = createRequire(import.meta.url);

/** Tests, and what they alone use. */
const testing = ['**/*.test.ts', '**/*.fixture.ts'];

export default defineConfig(
  { ignores: ['**/dist/**', '**/node_modules/**', '.cache/**', '.nx/**', '**/gen/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  { files: ['**/*.js'], extends: [js.configs.recommended], languageOptions: { globals: { process: 'readonly' } } },
  {
    files: ['**/*.ts'],
    extends: [js.configs.recommended, tseslint.configs.strictTypeChecked],
    plugins: { import: importPlugin, '@nx': nx },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    settings: {
      // Without these two, import/no-cycle opens no TypeScript file and says nothing about it.
      'import/parsers': { [require.resolve('@typescript-eslint/parser')]: ['.ts'] },
      'import/resolver': {
        [require.resolve('eslint-import-resolver-typescript')]: {
          conditionNames: ['@lifeline/source', 'types', 'import', 'node', 'default'],
        },
      },
    },
    rules: {
      '@nx/enforce-module-boundaries': ['error', { allow: [], depConstraints }],
      'import/no-cycle': 'error',
      'import/no-default-export': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/max-params': ['error', { max: 3 }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        {
          argsIgnorePattern: '^_',
          varsIgnorePattern: '^_',
          destructuredArrayIgnorePattern: '^_',
          ignoreRestSiblings: true,
        },
      ],
      // `signal.reason` travels as it is.
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingAny: true, allowThrowingUnknown: true }],
      '@typescript-eslint/prefer-promise-reject-errors': [
        'error',
        { allowThrowingAny: true, allowThrowingUnknown: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // A kind's type may be an interface that only names another.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      // Taste, or wrong about what closures and untyped JSON do:
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/require-await': 'off',
      ...restrictions(),
    },
  },
  {
    files: testing,
    // `expect.any(…)` and its like are typed any, and `expect(object.method)` calls nothing.
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  { files: ['*.config.ts'], rules: { 'import/no-default-export': 'off', '@nx/enforce-module-boundaries': 'off' } },

  // packages/core is pure, and the home of time and chance.
  { files: ['packages/core/src/**/*.ts'], ignores: testing, rules: restrictions({ pure: true }) },
  {
    files: ['packages/core/src/time.ts'],
    rules: restrictions({
      pure: true,
      allow: ['Date.now', 'performance', 'performance.now', 'setTimeout', 'setImmediate'],
    }),
  },
  { files: ['packages/core/src/random.ts'], rules: restrictions({ pure: true, allow: ['Math.random'] }) },
  {
    files: ['packages/core/src/testing/virtual-clock.ts'],
    rules: restrictions({ pure: true, allow: ['setImmediate'] }),
  },
  {
    // A bench may go through the front door of its own package, give the event loop a turn, and ask for a collection where there is gc.
    files: ['**/bench/**/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': ['error', { allow: [], allowCircularSelfDependency: true, depConstraints }],
      ...restrictions({ allow: ['setImmediate', 'globalThis'] }),
    },
  },
);
