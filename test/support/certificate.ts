/** Makes certificates on demand, so that none is stored and none expires. */
import { generateKeyPairSync, sign } from 'node:crypto'

type Bytes = Uint8Array

const OID = {
  commonName: '550403',
  ecdsaSha256: '2a8648ce3d040302',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
}

/** Returns a certificate for a host, signed by its own key, as PEM. */
export function makeCertificate(
  host: string,
  { from, until }: { from: Date; until: Date },
): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(oid(OID.ecdsaSha256))
  const name = sequence(tagged(0x31, sequence(oid(OID.commonName), text(host))))
  const alternative = sequence(
    /^[\d.]+$/.test(host)
      ? tagged(0x87, Uint8Array.from(host.split('.').map(Number)))
      : tagged(0x82, ascii(host)),
  )
  const extensions = sequence(
    sequence(oid(OID.subjectAltName), tagged(0x04, alternative)),
    sequence(
      oid(OID.basicConstraints),
      tagged(0x01, Uint8Array.of(0xff)),
      tagged(0x04, sequence(tagged(0x01, Uint8Array.of(0xff)))),
    ),
  )
  const body = sequence(
    tagged(0xa0, tagged(0x02, Uint8Array.of(2))),
    tagged(0x02, Uint8Array.of(1)),
    algorithm,
    name,
    sequence(time(from), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  )
  const signature = sign('sha256', body, privateKey)
  const der = sequence(body, algorithm, tagged(0x03, Buffer.concat([Uint8Array.of(0), signature])))
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}

function tagged(tag: number, content: Bytes): Bytes {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Uint8Array.of(tag, ...size), content])
}

function sequence(...parts: Bytes[]): Bytes {
  return tagged(0x30, Buffer.concat(parts))
}

function oid(hex: string): Bytes {
  return tagged(0x06, Buffer.from(hex, 'hex'))
}

function ascii(value: string): Bytes {
  return Buffer.from(value, 'ascii')
}

function text(value: string): Bytes {
  return tagged(0x0c, ascii(value))
}

function time(at: Date): Bytes {
  return tagged(0x18, ascii(`${at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`))
}
