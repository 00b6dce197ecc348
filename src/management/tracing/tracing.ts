import { ROOT_CONTEXT, TraceFlags } from '@opentelemetry/api'
import { setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  type IdGenerator,
  ParentBasedSampler,
  RandomIdGenerator,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TracingConfig } from '../../base/config.ts'
import type { Log } from '../../base/log.ts'
import type { EventTrace } from './event-trace.ts'
import { recordSpans } from './record-spans.ts'

/**
 * Exports the spans of this process to an OTLP endpoint. Only this folder imports OpenTelemetry, and only a process
 * with OTEL_EXPORTER_OTLP_ENDPOINT imports this folder.
 */
export interface Tracing {
  /** Exports the spans that are not exported yet. Never rejects. */
  close(): Promise<void>
}

/**
 * Maximum number of spans in the export queue: about two megabytes of memory. If the queue is full because the endpoint
 * is slow or unreachable, further spans are dropped.
 */
const queueMax = 2048

/** Maximum number of spans per export request: about half a megabyte of JSON, far below the limits of collectors. */
const batchMax = 512

/** Export interval: spans become visible within seconds, and a busy process sends few export requests. */
const exportEveryMs = 2_000

/** Time limit for one export with its retries. It is less than the time limit for stopping the process. */
const exportMs = 5_000

/** Maximum length of a span attribute, longer than all names and ids. */
const attributeLengthMax = 256

/** Log interval for failed exports. An endpoint that is down fails every export, and one line a minute is enough. */
const reportEveryMs = 60_000

export function startTracing(config: TracingConfig, info: { readonly version: string }, log: Log): Tracing {
  reportFailures(log)
  const exporter = new OTLPTraceExporter({
    url: `${config.endpoint}/v1/traces`,
    headers: { ...config.headers },
    timeoutMillis: exportMs,
    concurrencyLimit: 1,
  })
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: queueMax,
    maxExportBatchSize: batchMax,
    scheduledDelayMillis: exportEveryMs,
    exportTimeoutMillis: exportMs,
  })
  const ids = openIds()
  const ratio = new TraceIdRatioBasedSampler(config.sampleRatio)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': config.serviceName, 'service.version': info.version }),
    // A client can set the sampling flag of a trace. The configured share limits these traces too, so that a client
    // cannot increase the share.
    sampler: new ParentBasedSampler({ root: ratio, remoteParentSampled: ratio }),
    idGenerator: ids,
    spanLimits: { attributeValueLengthLimit: attributeLengthMax },
    spanProcessors: [processor],
  })
  const isSampled = (traceId: string) =>
    ratio.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED
  const stop = recordSpans({
    tracer: provider.getTracer('commerce-service', info.version),
    withIds: ids.withIds,
    // Every process makes the same sampling decision for the trace of an event, because the decision depends only on
    // the trace id.
    flagsOf: (traceId) => (isSampled(traceId) ? TraceFlags.SAMPLED : TraceFlags.NONE),
  })
  return {
    close: async () => {
      stop()
      await provider.shutdown().catch(() => undefined)
    },
  }
}

/** Within `withIds`, the generator returns the ids that the caller has set. Otherwise the ids are random. */
function openIds(): IdGenerator & { withIds<Result>(ids: EventTrace, start: () => Result): Result } {
  const random = new RandomIdGenerator()
  let given: EventTrace | undefined
  return {
    generateTraceId: () => given?.traceId ?? random.generateTraceId(),
    generateSpanId: () => given?.spanId ?? random.generateSpanId(),
    withIds: (ids, start) => {
      given = ids
      try {
        return start()
      } finally {
        given = undefined
      }
    },
  }
}

function reportFailures(log: Log): void {
  let reportedMs = Number.NEGATIVE_INFINITY
  setGlobalErrorHandler((error) => {
    if (performance.now() - reportedMs < reportEveryMs) return
    reportedMs = performance.now()
    // The error message of an exporter may contain the response of the endpoint, so only the error's name and code are
    // logged.
    const { name, code } = error instanceof Error ? { name: error.name, code: Reflect.get(error, 'code') } : {}
    log.warn({ error: name, code }, 'Traces could not be exported. Check OTEL_EXPORTER_OTLP_ENDPOINT.')
  })
}
