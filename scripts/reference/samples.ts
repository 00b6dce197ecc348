import type { EndpointId } from '../../registry/index.ts'
import { curlSample } from './samples/curl.ts'
import { pythonSample } from './samples/python.ts'
import { sampledOperation } from './samples/request.ts'
import { typescriptSample } from './samples/typescript.ts'

/**
 * Sample code that calls one operation of a service with demo data. test/long/reference/samples.test.ts runs every
 * sample.
 */
export interface Sample {
  readonly language: 'curl' | 'typescript' | 'python'
  readonly code: string
}

/** The samples read the token from COMMERCE_TOKEN and send the registry's examples. */
export function samplesOf(id: EndpointId): readonly Sample[] {
  const operation = sampledOperation(id)
  return [
    { language: 'curl', code: curlSample(operation) },
    { language: 'typescript', code: typescriptSample(operation) },
    { language: 'python', code: pythonSample(operation) },
  ]
}
