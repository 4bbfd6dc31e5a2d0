/** The way to a service: the proxy, the certificate, the clock. For a person who looks for a fault. */
import { AppError } from '../core/errors.ts'
import type { Machine } from '../core/machine.ts'
import { unbracketed } from '../core/network.ts'
import { readBase } from './base.ts'
import { openDispatcher } from './connection.ts'
import { exchange, ExchangeError } from './exchange.ts'
import { formatProxySuffix } from './proxy.ts'

export type ProbeResult = {
  status: number
  /** True if the response is that of a service which is ready, and not a page of another program. */
  isReady: boolean
  /** The time of its machine, in milliseconds; undefined when it does not say. */
  date: number | undefined
  /** The time that the response took, in milliseconds. */
  tookMs: number
}

type ReachDeps = Pick<Machine, 'env' | 'elapsed'>

/** Asks a service once whether it is ready. Throws AppError('network_error' | 'config_error') with the reason. */
export async function probeService(
  baseUrl: string,
  deps: ReachDeps,
  timeoutMs: number,
): Promise<ProbeResult> {
  const base = readBase(baseUrl)
  const dispatcher = await openDispatcher(base, deps)
  const started = deps.elapsed()
  try {
    const path = `${base.pathname.replace(/\/+$/, '')}/readyz`
    const request = { method: 'GET' as const, origin: base.origin, path, headers: {} }
    const { status, headers, body } = await exchange(dispatcher, request, { timeoutMs })
    const date = Date.parse(headers['date'] ?? '')
    const isReady = status === 200 && /^\s*\{\s*"status"\s*:\s*"ready"/.test(Buffer.from(body).toString())
    return { status, isReady, date: Number.isNaN(date) ? undefined : date, tookMs: deps.elapsed() - started }
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    throw new AppError(
      'network_error',
      `${base.origin} cannot be reached${formatProxySuffix(base, deps.env)}: ${error.message}.`,
      {
        cause: error,
        ...(error.kind === 'certificate' && {
          hint: 'If it is your own authority, name its file in NODE_EXTRA_CA_CERTS.',
        }),
      },
    )
  } finally {
    await dispatcher.destroy()
  }
}

export type Certificate = { issuer: string; validTo: number; protocol: string; trusted: boolean }

/** Returns the certificate that an https service shows. Throws AppError('network_error'). */
export async function readCertificate(baseUrl: string, timeoutMs: number): Promise<Certificate> {
  const { connect } = await import('node:tls')
  const base = readBase(baseUrl)
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      socket.destroy()
      reject(
        new AppError('network_error', `${base.host} gave no certificate: ${error.message}.`, {
          cause: error,
        }),
      )
    }
    const socket = connect(
      {
        host: unbracketed(base.hostname),
        port: Number(base.port || 443),
        // An address has no server name.
        ...(/[:\]]|^[\d.]+$/.test(base.hostname) ? {} : { servername: base.hostname }),
        // It is looked at, and sent nothing.
        rejectUnauthorized: false,
        timeout: timeoutMs,
      },
      () => {
        const { issuer, valid_to } = socket.getPeerCertificate()
        const organisation = issuer.O ?? issuer.CN ?? 'unknown'
        const certificate = {
          issuer: Array.isArray(organisation) ? organisation.join(', ') : organisation,
          validTo: Date.parse(valid_to),
          protocol: socket.getProtocol() ?? 'TLS',
          trusted: socket.authorized,
        }
        socket.destroy()
        resolve(certificate)
      },
    )
    socket.on('error', fail)
    socket.on('timeout', () => fail(new Error('no answer in time')))
  })
}
