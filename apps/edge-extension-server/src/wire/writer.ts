/** Writes protobuf messages into one buffer that grows and is used again. */
import { wireTypes } from './cursor.ts';
import { bufferOver, encodeText } from './text.ts';

const nothing = new Uint8Array();
/** Below this many bytes a loop is quicker than a call. */
const shortCopy = 24;

/**
 * What is copied from the source in one piece after another is copied at once, so that leaving most fields as they are costs little.
 *
 * ```ts
 * writer.reset(source);
 * writer.begin(4, likelyLength);  // field 4, a message
 * writer.copy(from, to);          // of the source
 * writer.uint32(2, 7);
 * writer.end();                   // puts the length of field 4 right
 * send(writer.written());
 * ```
 */
export class Writer {
  #buffer: Uint8Array;
  #length = 0;
  /** As a Buffer, which copies without an object for what is copied. */
  #source: Buffer = Buffer.alloc(0);
  /** What was asked to be copied last and is not yet: of the source, or of other bytes. */
  #copied: Buffer = this.#source;
  #from = 0;
  #to = 0;
  /** Of each message that is not ended: where its length stands, then how many bytes were left for it. */
  readonly #open: number[] = [];

  constructor(capacity = 4096) {
    this.#buffer = new Uint8Array(capacity);
  }

  /** Begins anew, over what was written before. */
  reset(source: Uint8Array = nothing): void {
    this.#length = this.#from = this.#to = this.#open.length = 0;
    this.#copied = this.#source = bufferOver(source);
  }

  /** Writes into this buffer, default a new one, from now on, after a {@link reset}. Returns the one before, in which {@link written} stands. */
  exchange(buffer?: Uint8Array): Uint8Array {
    const before = this.#buffer;
    this.#buffer = buffer ?? new Uint8Array(before.length);
    return before;
  }

  /** How much is written. Places in a message that is not ended may yet move with its length: take them from where its value begins. */
  get length(): number {
    return this.#length + this.#to - this.#from;
  }

  /** All that was written, in the writer's own buffer. Every message must be ended. */
  written(): Uint8Array {
    this.#flush();
    return this.#buffer.subarray(0, this.#length);
  }

  /** Bytes of the source as they are: whole fields. */
  copy(from: number, to: number): void {
    this.copyOf(this.#source, from, to);
  }

  /** The same of other bytes, which must not change before the message is written. */
  copyOf(bytes: Buffer, from: number, to: number): void {
    if (from !== this.#to || bytes !== this.#copied) {
      this.#flush();
      this.#copied = bytes;
      this.#from = from;
    }
    this.#to = to;
  }

  /** Bytes as they are: whole fields, or the value of a message that was begun. */
  raw(bytes: Uint8Array): void {
    this.#flush();
    this.#grow(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** A part of a Buffer, as it is. */
  part(bytes: Buffer, from: number, to: number): void {
    this.#flush();
    this.#grow(to - from);
    bytes.copy(this.#buffer, this.#length, from, to);
    this.#length += to - from;
  }

  bytes(field: number, value: Uint8Array): void {
    this.#tag(field, wireTypes.bytes);
    this.#varint(value.length);
    this.raw(value);
  }

  text(field: number, value: string): void {
    if (!isAscii(value)) return this.bytes(field, encodeText(value));
    this.#tag(field, wireTypes.bytes);
    this.#varint(value.length);
    this.#grow(value.length);
    for (let i = 0; i < value.length; i++) this.#buffer[this.#length++] = value.charCodeAt(i);
  }

  /** An unsigned integer below 2^53, an enum or a boolean. */
  uint(field: number, value: number): void {
    this.#tag(field, wireTypes.varint);
    this.#varint(value);
  }

  /**
   * Begins a message that is the value of a field; {@link end} ends it.
   * @param likelyLength of the message: when it is of another magnitude its bytes are moved
   * @returns where its value begins unless they are moved
   */
  begin(field: number, likelyLength = 0): number {
    this.#tag(field, wireTypes.bytes);
    const size = varintSize(likelyLength);
    this.#grow(size);
    this.#open.push(this.#length, size);
    this.#length += size;
    return this.#length;
  }

  /** Returns where its value begins, now that this is sure. */
  end(): number {
    this.#flush();
    const left = this.#open.pop();
    const at = this.#open.pop();
    if (left === undefined || at === undefined) throw new RangeError('no message is begun');
    const from = at + left;
    const size = varintSize(this.#length - from);
    const value = at + size;
    if (size !== left) {
      this.#grow(size);
      this.#buffer.copyWithin(value, from, this.#length);
    }
    const end = this.#length + size - left;
    this.#length = at;
    this.#varint(end - value);
    this.#length = end;
    return value;
  }

  #tag(field: number, type: number): void {
    this.#flush();
    this.#varint(field * 8 + type);
  }

  #varint(value: number): void {
    this.#grow(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#buffer[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#buffer[this.#length++] = rest;
  }

  #flush(): void {
    const { length } = this;
    if (length === this.#length) return;
    this.#grow(this.#to - this.#from);
    if (this.#to - this.#from < shortCopy) {
      for (let at = this.#from, to = this.#length; at < this.#to;) this.#buffer[to++] = this.#copied[at++] as number;
    } else {
      this.#copied.copy(this.#buffer, this.#length, this.#from, this.#to);
    }
    this.#length = length;
    this.#from = this.#to;
  }

  #grow(by: number): void {
    if (this.#length + by <= this.#buffer.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#buffer.length, this.#length + by));
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
  }
}

/** Whether each character is a byte of its own: names and addresses, whose bytes are quicker set than encoded. */
function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

/** How many bytes a varint takes. */
function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}

/** The bytes of a message that `write` writes. */
export function message(write: (writer: Writer) => void): Uint8Array {
  const writer = new Writer(256);
  write(writer);
  return writer.written().slice();
}
