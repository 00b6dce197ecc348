import type { EndpointId } from '../../registry/index.ts'
import { curlSample } from './samples/curl.ts'
import { pythonSample } from './samples/python.ts'
import { sampledOperation } from './samples/request.ts'
import { typescriptSample } from './samples/typescript.ts'

/** Code that does one operation against the demo, as pasted. test/reference/samples.test.ts runs every one. */
export interface Sample {
  readonly language: 'curl' | 'typescript' | 'python'
  readonly code: string
}

/** The token is taken from COMMERCE_TOKEN, which `npm start` prints, and what is sent from the registry's examples. */
export function samplesOf(id: EndpointId): readonly Sample[] {
  const operation = sampledOperation(id)
  return [
    { language: 'curl', code: curlSample(operation) },
    { language: 'typescript', code: typescriptSample(operation) },
    { language: 'python', code: pythonSample(operation) },
  ]
}
