/**
 * Reads a protobuf message field by field, by offsets into its bytes: nothing is copied or decoded until someone asks.
 * @see https://protobuf.dev/programming-guides/encoding
 */
import { decodeText, type Slice } from './text.ts';
import { WireError } from './wire-error.ts';

/** How a field is written. A group is read as one field, up to its end tag. */
export const wireTypes = { varint: 0, fixed64: 1, bytes: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

const maxFieldNumber = 2 ** 29 - 1;
const nothing = new Uint8Array();
/** More groups within groups than anyone sends; nobody sends any. */
const maxGroupDepth = 64;

/**
 * A place in a message. {@link next} moves it to the next field and says whether there is one; the properties then tell of that field.
 *
 * ```ts
 * const cursor = new Cursor(bytes);
 * while (cursor.next()) if (cursor.isBytes(1)) name = cursor.text();
 * ```
 */
export class Cursor {
  bytes: Uint8Array;
  /** Where the message begins. */
  begin: number;
  /** Where it ends. */
  end: number;
  /** The field's number. */
  field = 0;
  /** One of {@link wireTypes}. */
  type = 0;
  /** Where the field's tag begins. */
  start = 0;
  /** Where its value begins: after the length, if it has one. */
  from = 0;
  /** Where its value ends: of a group, before the end tag. */
  to = 0;
  /** Where the next field begins. */
  after: number;
  /** For {@link enter}: reading is mostly going into messages, which would be as many new cursors. */
  #inner: Cursor | undefined;

  /** Of the message that stands in `from` to before `to`. */
  constructor(bytes: Uint8Array, from = 0, to: number = bytes.length) {
    this.bytes = bytes;
    this.begin = this.after = from;
    this.end = to;
  }

  /** @throws WireError when what follows is no field. The cursor is then of no more use. */
  next(): boolean {
    if (this.after >= this.end) return false;
    this.start = this.after;
    return this.#frequent() || this.#other();
  }

  /** Whether the field is text, bytes or a message of this number. One of another wire type is a field that nobody knows. */
  isBytes(field: number): boolean {
    return this.field === field && this.type === wireTypes.bytes;
  }

  /** Whether the field is an integer, an enum or a boolean of this number. */
  isVarint(field: number): boolean {
    return this.field === field && this.type === wireTypes.varint;
  }

  /** Goes to the beginning of another message. */
  aim({ bytes, from, to }: Slice): this {
    this.bytes = bytes;
    return this.move(from, to);
  }

  /** Goes to the beginning of another message that stands in the same bytes. */
  move(from: number, to: number): this {
    this.begin = this.after = from;
    this.end = to;
    return this;
  }

  /** As a slice alone: what stands in another one, at places that are counted from where that begins. */
  within(slice: Slice, { from, to }: Pick<Slice, 'from' | 'to'>): Slice {
    this.bytes = slice.bytes;
    this.from = slice.from + from;
    this.to = slice.from + to;
    return this;
  }

  /** Lets go of the bytes. */
  release(): void {
    this.bytes = nothing;
    this.move(0, 0);
    this.#inner = undefined;
  }

  /** Goes back to where the message begins. */
  rewind(): this {
    this.after = this.begin;
    return this;
  }

  /** Moves to the last field of this number that is text, bytes or a message: of several it is the one that counts. */
  seek(field: number): boolean {
    let start = -1;
    let from = 0;
    let to = 0;
    while (this.next()) {
      if (!this.isBytes(field)) continue;
      ({ start, from, to } = this);
    }
    if (start < 0) return false;
    this.field = field;
    this.type = wireTypes.bytes;
    this.start = start;
    this.from = from;
    this.to = to;
    return true;
  }

  /** A cursor over the message that is the field's value. It is the same one each time: be done with a message before entering the next. */
  enter(): Cursor {
    return (this.#inner ??= new Cursor(this.bytes)).aim(this);
  }

  /** Where the field's value stands, for later: the cursor itself is a slice only until it moves on. */
  slice(): Slice {
    return { bytes: this.bytes, from: this.from, to: this.to };
  }

  /** The field's value as an unsigned integer of 64 bits. */
  uint64(): bigint {
    let value = 0n;
    for (let at = this.to - 1; at >= this.from; at--) value = (value << 7n) | BigInt(this.#byte(at) & 0x7f);
    return BigInt.asUintN(64, value);
  }

  /** The field's value as an unsigned integer of 32 bits: of more, the lowest. */
  uint32(): number {
    let value = 0;
    for (let at = Math.min(this.to, this.from + 5) - 1; at >= this.from; at--)
      value = value * 128 + (this.#byte(at) & 0x7f);
    return value % 2 ** 32;
  }

  /** The field's value as text. */
  text(): string {
    return decodeText(this);
  }

  /** Nearly all fields: tag and length of one byte or two, the value a message or text. False: it is another, or none at all. */
  #frequent(): boolean {
    const { bytes } = this;
    let at = this.after;
    let tag = bytes[at++] as number;
    if (tag >= 0x80) {
      const more = bytes[at++] as number;
      if (more >= 0x80) return false;
      tag = (tag & 0x7f) | (more << 7);
    }
    if ((tag & 7) !== wireTypes.bytes || tag < 8) return false;
    let length = bytes[at++] as number;
    if (length >= 0x80) {
      const more = bytes[at++] as number;
      if (more >= 0x80) return false;
      length = (length & 0x7f) | (more << 7);
    }
    const to = at + length;
    // Not so when the message, or the bytes, ended before.
    if (!(to <= this.end)) return false;
    this.field = tag >> 3;
    this.type = wireTypes.bytes;
    this.from = at;
    this.to = this.after = to;
    return true;
  }

  /** Any field. */
  #other(): true {
    const tag = this.#tag();
    this.field = tag >>> 3;
    this.type = tag & 7;
    if (this.type === wireTypes.startGroup) this.#group();
    else this.#value(this.type);
    return true;
  }

  #byte(at: number): number {
    return this.bytes[at] as number;
  }

  #value(type: number): void {
    switch (type) {
      case wireTypes.bytes:
        this.#take(this.#varint());
        break;
      case wireTypes.varint:
        this.from = this.after;
        this.#varint();
        this.to = this.after;
        break;
      case wireTypes.fixed32:
        this.#take(4);
        break;
      case wireTypes.fixed64:
        this.#take(8);
        break;
      case wireTypes.endGroup:
        throw new WireError('unbalanced-group', this.start);
      default:
        throw new WireError('bad-wire-type', this.start);
    }
  }

  #take(length: number): void {
    this.from = this.after;
    if (length > this.end - this.from) throw new WireError('truncated', this.start);
    this.to = this.after = this.from + length;
  }

  /** Without recursion: what others send must not decide how deep our stack gets. */
  #group(): void {
    const { field, type, start, after: from } = this;
    const open = [field];
    let to = from;
    while (open.length > 0) {
      to = this.after;
      if (to >= this.end) throw new WireError('truncated', start);
      const tag = this.#tag();
      switch (tag & 7) {
        case wireTypes.startGroup:
          if (open.push(tag >>> 3) > maxGroupDepth) throw new WireError('too-deep', start);
          break;
        case wireTypes.endGroup:
          if (open.pop() !== tag >>> 3) throw new WireError('unbalanced-group', start);
          break;
        default:
          this.#value(tag & 7);
      }
    }
    Object.assign(this, { field, type, start, from, to });
  }

  #tag(): number {
    // Fields up to 15, which are most, have a tag of one byte.
    const first = this.#byte(this.after);
    const tag = first < 0x80 ? first : this.#varint();
    if (first < 0x80) this.after++;
    const field = Math.floor(tag / 8);
    if (field === 0 || field > maxFieldNumber) throw new WireError('bad-field-number', this.start);
    return tag >>> 0;
  }

  /** Moves behind a varint of at most 64 bits. Its value is exact below 2^53, and above that larger than whatever it may be. */
  #varint(): number {
    let value = 0;
    let scale = 1;
    for (let at = this.after, last = at + 9; at < this.end; at++) {
      const byte = this.#byte(at);
      if (at === last && byte > 1) throw new WireError('overlong-varint', this.start);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        this.after = at + 1;
        return value;
      }
      scale *= 128;
    }
    throw new WireError('truncated', this.start);
  }
}
