import packageFile from '../package.json' with { type: 'json' }

/**
 * The command of `npm start`, divided into words: `command` is the shell, and `words` are the script of the shell, the
 * options of Node.js and the program.
 */
const [command = '', ...words] = packageFile.scripts.start.replace('exec ', '').split(' ')

/**
 * The command of `npm start`, without npm, which would double the start time. The prefix `exec` is for the shell of
 * npm, so it is removed. The script `scripts/node.sh` replaces its own shell by Node.js.
 */
export const startCommand = { command, words }

export const nodeOptions: readonly string[] = words.filter((word) => word.startsWith('--'))
