import parser from '@typescript-eslint/parser'
import regexp from 'eslint-plugin-regexp'

/**
 * Only what Biome cannot tell: regular expressions whose time grows faster than their input. Whoever may send a request
 * chooses the input, and one slow match holds up every other request of the process.
 */
export default [
  {
    files: ['**/*.ts'],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: { parser, parserOptions: { sourceType: 'module' } },
    plugins: { regexp },
    rules: {
      // Also what may only be slow: a client is free to find out.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
]
