import type { EndpointId, MerchantId } from '../../registry/values/vocabulary.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { contextOf, emit } from './merchants.ts'

/** A process that commits a mutation, then kills itself before it notifies the worker. */
const [connectionString = '', merchantId = ''] = process.argv.slice(2)
const database = openDatabase({ connectionString })
const die = (_: MerchantId, __: readonly EndpointId[]) => void process.kill(process.pid, 'SIGKILL')
await emit(contextOf(database, die), { merchantId: merchantId as MerchantId, mode: 'live' }, 1)
