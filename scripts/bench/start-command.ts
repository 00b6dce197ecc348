import packageFile from '../../package.json' with { type: 'json' }

/** The words of `npm start`: node with its options, and the script. */
const [command = '', ...words] = packageFile.scripts.start.replace('exec ', '').split(' ')

/** The command of `npm start`, without npm, which takes as long again to start. */
export const startCommand = { command, words }

/** The options of Node.js in it, with which a benchmark runs the service. */
export const nodeOptions: readonly string[] = words.slice(0, -1)
