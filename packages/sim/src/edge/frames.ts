/** The outermost fields of a protobuf message, as far as messages within messages go. */
import { HookError } from './hook.ts';

export interface Frame {
  readonly field: number;
  /** The message in it. */
  readonly bytes: Uint8Array;
}

const lengthDelimited = 2;

/** The fields of a message that holds messages and texts alone. @throws HookError `INTERNAL` when it is none */
export function framesOf(message: Uint8Array): Frame[] {
  const frames: Frame[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = message[at++];
      if (byte === undefined) break;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw unreadable();
  };
  while (at < message.length) {
    const tag = varint();
    const length = varint();
    if ((tag & 7) !== lengthDelimited || at + length > message.length) throw unreadable();
    frames.push({ field: tag >>> 3, bytes: message.subarray(at, at + length) });
    at += length;
  }
  return frames;
}

const unreadable = (): HookError => new HookError('INTERNAL', 'the message cannot be read');

/** The message that has these fields, in this order. */
export function framed(frames: readonly Frame[]): Uint8Array {
  const heads = frames.map(({ field, bytes }) =>
    Buffer.from([...varint(field * 8 + lengthDelimited), ...varint(bytes.length)]),
  );
  return Buffer.concat(frames.flatMap(({ bytes }, index) => [heads[index] as Buffer, bytes]));
}

function varint(value: number): number[] {
  const low = value % 128;
  return value < 128 ? [low] : [low | 0x80, ...varint(Math.floor(value / 128))];
}
