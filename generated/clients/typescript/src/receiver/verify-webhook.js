// DO NOT EDIT. Written by `npm run generate`.
const signatureHeader = 'Service-Signature';
/**
 * Default tolerance in seconds: five minutes allow for slow networks and inaccurate clocks, and leave little time for
 * replay attacks.
 */
const defaultToleranceSeconds = 300;
export async function verifyWebhook(delivery) {
    const { nowSeconds = Date.now() / 1000, toleranceSeconds = defaultToleranceSeconds } = delivery;
    const secrets = typeof delivery.secret === 'string' ? [delivery.secret] : delivery.secret;
    const body = bytesOf(delivery.rawBody);
    const misuse = body === undefined ? bodyMisuse : (secretMisuse(secrets) ?? timeMisuse(nowSeconds, toleranceSeconds));
    if (body === undefined || misuse !== undefined)
        return { is: 'misused', reason: misuse ?? bodyMisuse };
    const header = headerOf(delivery);
    if (header === undefined)
        return { is: 'unsigned', reason: `The request has no ${signatureHeader} header.` };
    const parsed = parseHeader(header);
    if (parsed.is === 'malformed')
        return parsed;
    if (!(await isSigned(parsed, body, secrets))) {
        return { is: 'mismatch', reason: await explainMismatch(parsed, body, secrets) };
    }
    const seconds = Number(parsed.timestamp);
    const ageSeconds = Math.floor(nowSeconds) - seconds;
    if (Math.abs(ageSeconds) > toleranceSeconds) {
        const distance = ageSeconds > 0 ? `${ageSeconds} seconds ago` : `${-ageSeconds} seconds ahead of this clock`;
        const reason = `The request was signed ${distance}; the tolerance is ${toleranceSeconds} seconds.`;
        return { is: 'outside_tolerance', ageSeconds, reason };
    }
    const event = parseEvent(body);
    if (event === undefined)
        return { is: 'not_an_event', reason: 'The signature is valid, but the body is not an event.' };
    return { is: 'verified', event, seconds };
}
const bodyMisuse = 'rawBody must be the unparsed body as bytes or text, not a parsed object. Read it before any JSON middleware: ' +
    'express.raw(), request.text(), request.arrayBuffer().';
function bytesOf(rawBody) {
    if (typeof rawBody === 'string')
        return new TextEncoder().encode(rawBody);
    // `instanceof` is not used, because it fails in a test runner that has its own global classes.
    if (ArrayBuffer.isView(rawBody)) {
        return Uint8Array.from(new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength));
    }
    return isArrayBuffer(rawBody) ? new Uint8Array(rawBody) : undefined;
}
function isArrayBuffer(value) {
    return Object.prototype.toString.call(value) === '[object ArrayBuffer]';
}
function secretMisuse(secrets) {
    if (!Array.isArray(secrets) || secrets.length === 0)
        return 'secret must be a signing secret or a list of them.';
    for (const secret of secrets) {
        if (typeof secret !== 'string' || secret === '')
            return 'secret is empty. Check that its environment variable is set.';
        if (/\s/.test(secret))
            return 'secret contains white space, for example a line break from a file. Remove it.';
        if (!secret.startsWith('whsec_')) {
            return 'secret does not start with whsec_. Use it as it is shown: not decoded, and with its prefix.';
        }
    }
    return undefined;
}
/** The year 5138 in Unix seconds. A higher value must be a time in milliseconds. */
const latestSeconds = 1e11;
function timeMisuse(nowSeconds, toleranceSeconds) {
    if (typeof nowSeconds !== 'number' || !(nowSeconds >= 0))
        return 'nowSeconds must be a Unix time in seconds.';
    if (nowSeconds > latestSeconds)
        return 'nowSeconds is in milliseconds. Divide Date.now() by 1000.';
    // Comparisons with NaN are false, so a tolerance of NaN would accept signatures of every age.
    if (typeof toleranceSeconds !== 'number' || !(toleranceSeconds >= 0) || toleranceSeconds > latestSeconds) {
        return 'toleranceSeconds must be a number of seconds, 0 or more.';
    }
    return undefined;
}
function headerOf({ header, headers }) {
    if (headers === undefined)
        return header ?? undefined;
    if (isWebHeaders(headers))
        return headers.get(signatureHeader) ?? undefined;
    const name = Object.keys(headers).find((each) => each.toLowerCase() === signatureHeader.toLowerCase());
    const value = name === undefined ? undefined : headers[name];
    return typeof value === 'string' || value === undefined ? value : value.join(',');
}
function isWebHeaders(headers) {
    return typeof headers.get === 'function';
}
/**
 * Parses the signature header. It must have exactly one `t` and at least one `v1`. Unknown schemes are ignored, so that
 * newer ones can be added beside `v1`. A malformed `v1` is ignored too, because it cannot match.
 */
function parseHeader(header) {
    const malformed = (reason) => ({ is: 'malformed', reason: `The ${signatureHeader} header ${reason}.` });
    const fields = header.split(',').map((field) => field.trim());
    const valuesOf = (name) => fields.filter((field) => field.startsWith(name)).map((field) => field.slice(name.length));
    const [timestamp, ...furtherTimestamps] = valuesOf('t=');
    const signatures = valuesOf('v1=');
    if (timestamp === undefined)
        return malformed('has no t');
    if (furtherTimestamps.length > 0)
        return malformed('has more than one timestamp t');
    // Eleven digits cover every realistic Unix time in seconds and are exact as a number.
    if (!/^\d{1,11}$/.test(timestamp))
        return malformed('has a timestamp t that is not in Unix seconds');
    if (signatures.length === 0)
        return malformed('has no v1');
    return { is: 'parsed', timestamp, digests: signatures.filter((text) => /^[0-9a-f]{64}$/.test(text)).map(bytesOfHex) };
}
function bytesOfHex(hex) {
    return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
async function isSigned({ timestamp, digests }, body, secrets) {
    const signed = new Uint8Array(await new Blob([`${timestamp}.`, body]).arrayBuffer());
    let isMatch = false;
    for (const secret of secrets) {
        const key = await hmacKeyOf(secret);
        // Compares all signatures, even after a match, so that the comparison takes constant time.
        for (const digest of digests)
            isMatch = (await crypto.subtle.verify('HMAC', key, digest, signed)) || isMatch;
    }
    return isMatch;
}
/** Imports the signing secret as an HMAC key. The key is the text of the secret as it is shown. */
function hmacKeyOf(secret) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify']);
}
/**
 * Returns the reason why no signature matched. The most common mistake is to verify a body that a framework parsed and
 * serialised again. To detect this mistake, the parsed body is serialised as the service serialises it. The delivery is
 * still rejected.
 */
async function explainMismatch(signature, body, secrets) {
    const rewritten = serialisedAgain(body);
    if (rewritten !== undefined && (await isSigned(signature, rewritten, secrets))) {
        return `The signature matches the same JSON, but formatted with other bytes. ${bodyMisuse}`;
    }
    return 'No signature matches this body and secret. The request is forged or altered, or the secret belongs to another endpoint.';
}
/**
 * Returns a JSON body as the service serialises it. Undefined for other bodies, and for JSON of thousands of nested
 * levels, which JSON.parse accepts and JSON.stringify does not.
 */
function serialisedAgain(body) {
    try {
        const parsed = parseJson(body);
        return parsed === undefined ? undefined : new TextEncoder().encode(JSON.stringify(parsed));
    }
    catch {
        return undefined;
    }
}
function parseJson(body) {
    try {
        return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    }
    catch {
        return undefined;
    }
}
/** The event type is not validated: the signature proves that the service created the body. */
function parseEvent(body) {
    const parsed = parseJson(body);
    if (typeof parsed !== 'object' || parsed === null || !('event' in parsed) || !('id' in parsed))
        return undefined;
    return typeof parsed.event === 'string' && typeof parsed.id === 'string' ? parsed : undefined;
}
