import { newId } from './ids.ts'

/** Names this process for as long as it runs, so that a record can say which process made it. */
export const processId = newId('prc', Date.now())
