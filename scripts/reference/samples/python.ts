import { type Dialect, layOut } from './layout.ts'
import type { Preparation, SampledOperation, SampleRequest } from './request.ts'

const dialect: Dialect = {
  indent: '    ',
  // A JSON string is written unchanged, because it is a valid Python string.
  text: (value) => JSON.stringify(value),
  key: (name) => JSON.stringify(name),
  constants: { true: 'True', false: 'False', null: 'None' },
  padding: '',
  trailingComma: ',',
}

const authorization = `"Authorization": f"Bearer {os.environ['COMMERCE_TOKEN']}"`

/** Returns a code sample for Python 3 that uses only the standard library. */
export function pythonSample({ request, preparation, item, isExport }: SampledOperation): string {
  if (item !== undefined) return pageByPage(request, item)
  if (request.isPublic) return publicRead(request)
  const single = isExport ? lineByLine(request) : inOneStep(request)
  const steps = preparation === undefined ? single : inTwoSteps(request, preparation)
  return `import json\nimport os\nfrom urllib.request import Request, urlopen\n\n${steps}`
}

function pageByPage({ url }: SampleRequest, item: string): string {
  const [path, query = ''] = url.split('?')
  const parameters = Object.fromEntries(query.split('&').map((pair) => pair.split('=')))
  return `import json
import os
from urllib.parse import urlencode
from urllib.request import Request, urlopen

query = ${layOut(parameters, dialect, 0, 'query = '.length)}
while True:
    request = Request(
        "${path}?" + urlencode(query),
        headers={${authorization}},
    )
    with urlopen(request) as response:
        page = json.load(response)
    for ${item} in page["data"]:
        print(${item}["id"])
    if not page["pagination"]["hasMore"]:
        break
    query["cursor"] = page["pagination"]["cursor"]`
}

function publicRead({ url }: SampleRequest): string {
  return `import json\nfrom urllib.request import urlopen\n\nwith urlopen("${url}") as response:\n    print(json.load(response))`
}

function inOneStep(request: SampleRequest): string {
  return `request = ${requestExpression(request)}\nwith urlopen(request) as response:\n    print(json.load(response))`
}

function lineByLine(request: SampleRequest): string {
  return `request = ${requestExpression(request)}
with urlopen(request) as response:
    for line in response:
        print(json.loads(line)["id"])`
}

function inTwoSteps(request: SampleRequest, { request: first, noun, response }: Preparation): string {
  const [name, id] = response === 'page' ? [`${noun}s`, "['data'][0]['id']"] : [noun, "['id']"]
  return `request = ${requestExpression(first)}
with urlopen(request) as response:
    ${name} = json.load(response)

${inOneStep({ ...request, url: request.url.replace('{id}', `{${name}${id}}`) })}`
}

function requestExpression({ method, url, body, idempotencyKey }: SampleRequest): string {
  const headers = [
    authorization,
    ...(idempotencyKey === undefined ? [] : [`"Idempotency-Key": "${idempotencyKey}"`]),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ]
  const words = [
    `${url.includes('{') ? 'f' : ''}"${url}"`,
    ...(method === 'GET' ? [] : [`method="${method}"`]),
    `headers=${braced(headers)}`,
    ...(body === undefined ? [] : [`data=json.dumps(${layOut(body, dialect, 1, 'data=json.dumps('.length)}).encode()`]),
  ]
  return `Request(\n    ${words.join(',\n    ')},\n)`
}

function braced(members: readonly string[]): string {
  return members.length === 1 ? `{${members[0]}}` : `{\n        ${members.join(',\n        ')},\n    }`
}
