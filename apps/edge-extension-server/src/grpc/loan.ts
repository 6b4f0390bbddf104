/** Messages that cross this process without a copy. */

/** Bytes that belong to somebody who wants them back. */
export class Loan {
  readonly bytes: Buffer;
  /** They are not needed any more. Loans that are never ended are collected as garbage. */
  readonly end: () => void;

  constructor(bytes: Buffer, end: () => void) {
    this.bytes = bytes;
    this.end = end;
  }
}

/** Below this size a Buffer may share its memory with others. Far above Node's pool, and below what is worth it. */
const smallest = 1 << 16;

/**
 * Frees the memory of a received message at once, instead of with the next collection: V8 marks the whole heap for every 64 MiB that
 * Buffers take. Nobody may read the message any more.
 */
export function freeMessage({ buffer, byteLength }: Buffer): void {
  if (byteLength >= smallest && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
