import { globSync, readFileSync } from 'node:fs'
import { slowPatternsIn } from './slow-patterns.ts'

/** Checks that no regular expression of the registry, the sources and the scripts has super-linear run time. */
const found = globSync('{registry,src,scripts}/**/*.ts').flatMap((path) =>
  slowPatternsIn(path, readFileSync(path, 'utf8')),
)

for (const line of found) console.error(line)
if (found.length > 0) process.exitCode = 1
else console.log('No regular expression takes more than linear time.')
