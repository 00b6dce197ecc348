import packageFile from '../package.json' with { type: 'json' }

/** The parts of the command of `npm start`: the shell with its script, and the options and the program of Node.js. */
const [command = '', ...words] = packageFile.scripts.start.replace('exec ', '').split(' ')

/**
 * The command of `npm start` without npm itself, which would double the start time. Node.js replaces the process of the
 * shell.
 */
export const startCommand = { command, words }

/** The options of Node.js in the command of `npm start`. */
export const nodeOptions: readonly string[] = words.filter((word) => word.startsWith('--'))
