import parser from '@typescript-eslint/parser'
import regexp from 'eslint-plugin-regexp'

/**
 * Detects regular expressions with super-linear run time, which Biome does not. Clients choose the input, and one slow match
 * blocks all other requests of the process.
 */
export default [
  {
    files: ['**/*.ts'],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: { parser, parserOptions: { sourceType: 'module' } },
    plugins: { regexp },
    rules: {
      // Potential findings count as well, because an attacker can search for slow inputs.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
]
