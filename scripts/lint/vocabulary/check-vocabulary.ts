import { readFileSync } from 'node:fs'
import { parseExceptions, vocabularyFaults } from './check.ts'
import { avoidedTerms } from './glossary.ts'
import { textsOfProject } from './texts.ts'

/** Rejects the avoided terms of the glossary in every text and name of the project. */
const listed = parseExceptions(readFileSync('scripts/config/vocabulary-exceptions.json', 'utf8'))
const released = parseExceptions(readFileSync('generated/released/vocabulary-exceptions.json', 'utf8'))
const texts = textsOfProject()
const faults = vocabularyFaults(texts, avoidedTerms, { listed, released })
for (const fault of faults) console.error(fault)
console.log(`${texts.length} texts and names, ${listed.length} exception(s), ${faults.length} fault(s).`)
process.exitCode = faults.length === 0 ? 0 : 1
