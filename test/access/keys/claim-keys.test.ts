import { beforeEach, describe, expect, test } from 'vitest'
import { claimKeys, type KeyClaim, retireLost, retireOthers } from '../../../src/access/keys/claim-keys.ts'
import { deleteHolder, listUsedKeys, renewHolder } from '../../../src/store/access/encryption-keys.ts'
import { useDatabase } from '../../support/database.ts'

const opened = useDatabase()
const old = '00000000000000aa'
const young = '00000000000000bb'

beforeEach(async () => {
  await opened().database.pool.query('delete from encryption_keys; delete from encryption_key_holders')
})

const claim = (keyIds: readonly string[], name?: string, usedAtFirst: readonly string[] = []) => {
  const request: KeyClaim = {
    keyIds,
    holder: name === undefined ? undefined : { processId: name, label: name },
    usedAtFirst: async () => usedAtFirst,
    place: 'ENCRYPTION_KEY',
  }
  return claimKeys(opened().database, request)
}

const used = async () => (await listUsedKeys(opened().database, {})).map(({ id }) => id)

/** Stops a service process and starts it again with other encryption keys. */
const restart = async (name: string, keyIds: readonly string[]) => {
  await deleteHolder(opened().database, { processId: name })
  await claim(keyIds, name)
}

describe('a new encryption key', () => {
  test('a new encryption key comes into use only when every running process is configured with that key', async () => {
    await claim([old], 'one')
    await claim([old], 'two')
    await deleteHolder(opened().database, { processId: 'one' })
    await expect(claim([young, old], 'one')).rejects.toThrow(
      `The key with the fingerprint ${young} is not yet in ENCRYPTION_KEY of two.`,
    )
    await expect(claim([young, old])).rejects.toThrow('is not yet in ENCRYPTION_KEY of two')
    expect(await used()).toEqual([old])
    for (const name of ['one', 'two']) await restart(name, [old, young])
    for (const name of ['one', 'two']) await restart(name, [young, old])
    expect(await used()).toEqual([old, young])
  })

  test('a process that was killed and last seen over 30 seconds ago does not delay the use of a new encryption key', async () => {
    await claim([old], 'killed')
    await opened().database.pool.query("update encryption_key_holders set seen_at = now() - interval '31 seconds'")
    await claim([young, old], 'one')
    expect(await used()).toEqual([old, young])
  })

  test('if two processes with different encryption keys start at the same time, only one key comes into use, and the process with the other key fails', async () => {
    const outcomes = await Promise.allSettled([claim([old], 'one'), claim([young], 'two')])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await used()).toHaveLength(1)
  })
})

describe('the encryption keys of a process', () => {
  test('a process starts only if it has every encryption key that is in use', async () => {
    await claim([old], 'one')
    for (const keyIds of [[], [young]])
      await expect(claim(keyIds, 'two')).rejects.toThrow(`lacks the key with the fingerprint ${old}`)
    await claim([old, young], 'two')
  })

  test('a process starts only if it has the encryption key of every stored secret, including secrets from before the service recorded the keys in use', async () => {
    await claim([young, old], 'one', [old])
    expect((await used()).toSorted()).toEqual([old, young])
    await expect(claim([young], 'two')).rejects.toThrow(old)
  })

  test('a process without encryption keys can start as long as no key is in use', async () => {
    await claim([], 'one')
    expect(await used()).toEqual([])
  })

  test('a running process detects encryption keys that came into use after its start', async () => {
    await claim([old], 'one')
    await opened().database.pool.query('insert into encryption_keys (id, used_since) values ($1, now())', [young])
    const row = { processId: 'one', label: 'one', keyIds: [old] }
    expect((await renewHolder(opened().database, row)).map(({ id }) => id)).toEqual([old, young])
  })
})

describe('an old encryption key', () => {
  const retire = (isDone = true) => retireOthers(opened().database, young, async () => isDone)

  test('an old encryption key is not retired while a process encrypts with it or a stored secret needs it', async () => {
    await claim([old, young], 'one')
    expect(await retire()).toMatchObject({ is: 'in_use', holders: [{ label: 'one' }] })
    await restart('one', [young, old])
    expect(await retire(false)).toMatchObject({ is: 'in_use' })
    expect(await used()).toEqual([old, young])
    expect(await retire()).toEqual({ is: 'retired', keyIds: [old] })
    await restart('one', [young])
  })

  test('a retired encryption key is in use again when a process encrypts with it', async () => {
    await claim([old, young], 'one')
    await restart('one', [young, old])
    await retire()
    await restart('one', [old, young])
    expect((await used()).toSorted()).toEqual([old, young])
  })

  test('a process can start without an encryption key after that key was declared lost', async () => {
    await claim([old], 'one')
    await deleteHolder(opened().database, { processId: 'one' })
    expect(await retireLost(opened().database, young)).toBe(false)
    expect(await retireLost(opened().database, old)).toBe(true)
    await claim([young], 'one')
    expect(await used()).toEqual([young])
  })
})
